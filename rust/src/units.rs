//! The output units of an evaluation, one by one. The library gives them to serialisers only; this
//! one keeps the fields of one unit at a time instead of writing text.

use jsonschema::Evaluation;
use serde::ser::{Impossible, SerializeMap, SerializeSeq, SerializeStruct};
use serde::{Serialize, Serializer};
use serde_json::Error;

#[derive(Default)]
pub struct Unit {
    pub valid: bool,
    pub evaluation_path: String,
    pub schema_location: String,
    pub instance_location: String,
    /// The keywords that failed.
    pub errors: Vec<String>,
}

/// In the order of the schema, parents before children.
pub fn each_unit(evaluation: &Evaluation, take: impl FnMut(&Unit)) {
    let mut walk = Walk {
        unit: Unit::default(),
        take,
    };
    let list = evaluation.list();
    list.serialize(Sink::Units(&mut walk as &mut dyn Walking))
        .expect("nothing is written");
}

struct Walk<Take> {
    unit: Unit,
    take: Take,
}

trait Walking {
    fn unit(&mut self) -> &mut Unit;
    fn hand_over(&mut self);
}

impl<Take: FnMut(&Unit)> Walking for Walk<Take> {
    fn unit(&mut self) -> &mut Unit {
        &mut self.unit
    }
    fn hand_over(&mut self) {
        (self.take)(&self.unit);
    }
}

/// Where a value goes.
enum Sink<'a> {
    Flag(&'a mut bool),
    Text(&'a mut String),
    Keys(&'a mut Vec<String>),
    Units(&'a mut dyn Walking),
}

/// A structure whose members go to `Sink`; `is_unit` tells units from the list around them.
struct Members<'a> {
    sink: Sink<'a>,
    is_unit: bool,
}

impl SerializeSeq for Members<'_> {
    type Ok = ();
    type Error = Error;
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        match &mut self.sink {
            Sink::Units(walk) => value.serialize(Sink::Units(*walk)),
            _ => Ok(()),
        }
    }
    fn end(self) -> Result<(), Error> {
        Ok(())
    }
}

impl SerializeMap for Members<'_> {
    type Ok = ();
    type Error = Error;
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        let Sink::Keys(keys) = &mut self.sink else {
            return Ok(());
        };
        keys.push(String::new());
        match keys.last_mut() {
            Some(last) => key.serialize(Sink::Text(last)),
            None => Ok(()),
        }
    }
    fn serialize_value<T: Serialize + ?Sized>(&mut self, _: &T) -> Result<(), Error> {
        Ok(())
    }
    fn end(self) -> Result<(), Error> {
        Ok(())
    }
}

impl SerializeStruct for Members<'_> {
    type Ok = ();
    type Error = Error;
    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let Sink::Units(walk) = &mut self.sink else {
            return Ok(());
        };
        if !self.is_unit {
            return match name {
                "details" => value.serialize(Sink::Units(*walk)),
                _ => Ok(()),
            };
        }
        let unit = walk.unit();
        match name {
            "valid" => value.serialize(Sink::Flag(&mut unit.valid)),
            "evaluationPath" => value.serialize(Sink::Text(&mut unit.evaluation_path)),
            "schemaLocation" => value.serialize(Sink::Text(&mut unit.schema_location)),
            "instanceLocation" => value.serialize(Sink::Text(&mut unit.instance_location)),
            "errors" => value.serialize(Sink::Keys(&mut unit.errors)),
            _ => Ok(()),
        }
    }
    fn end(mut self) -> Result<(), Error> {
        if let (Sink::Units(walk), true) = (&mut self.sink, self.is_unit) {
            walk.hand_over();
        }
        Ok(())
    }
}

/// Values of these kinds are in no field that is kept.
macro_rules! passed_over {
    ($($name:ident: $type:ty),*) => {
        $(fn $name(self, _: $type) -> Result<(), Error> {
            Ok(())
        })*
    };
}

impl<'a> Serializer for Sink<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Members<'a>;
    type SerializeMap = Members<'a>;
    type SerializeStruct = Members<'a>;
    type SerializeTuple = Impossible<(), Error>;
    type SerializeTupleStruct = Impossible<(), Error>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeStructVariant = Impossible<(), Error>;

    passed_over!(serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64,
        serialize_f32: f32, serialize_f64: f64, serialize_char: char, serialize_bytes: &[u8],
        serialize_unit_struct: &'static str);

    fn serialize_bool(self, value: bool) -> Result<(), Error> {
        if let Sink::Flag(flag) = self {
            *flag = value;
        }
        Ok(())
    }

    fn serialize_str(self, value: &str) -> Result<(), Error> {
        if let Sink::Text(text) = self {
            text.clear();
            text.push_str(value);
        }
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Members<'a>, Error> {
        Ok(Members {
            sink: self,
            is_unit: false,
        })
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Members<'a>, Error> {
        self.serialize_seq(None)
    }

    fn serialize_struct(mut self, name: &'static str, _: usize) -> Result<Members<'a>, Error> {
        let is_unit = name == "OutputUnit";
        if let (Sink::Units(walk), true) = (&mut self, is_unit) {
            walk.unit().errors.clear();
        }
        Ok(Members {
            sink: self,
            is_unit,
        })
    }

    fn serialize_none(self) -> Result<(), Error> {
        Ok(())
    }
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }
    fn serialize_unit(self) -> Result<(), Error> {
        Ok(())
    }
    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result<(), Error> {
        Ok(())
    }
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        value.serialize(self)
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Error> {
        Ok(())
    }
    fn serialize_tuple(self, _: usize) -> Result<Impossible<(), Error>, Error> {
        Err(unexpected())
    }
    fn serialize_tuple_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<Impossible<(), Error>, Error> {
        Err(unexpected())
    }
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Impossible<(), Error>, Error> {
        Err(unexpected())
    }
    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Impossible<(), Error>, Error> {
        Err(unexpected())
    }
}

fn unexpected() -> Error {
    serde::ser::Error::custom("the library gives its units another form")
}
