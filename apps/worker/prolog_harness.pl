% What the Prolog worker knows beside the language: how checks are loaded and their results read.
:- module(hone, [answer/2, limit_stack/1]).
:- use_module(library(aggregate)).
:- use_module(library(apply)).
:- use_module(library(assoc)).
:- use_module(library(dcg/basics)).
:- use_module(library(dcg/high_order)).
:- use_module(library(dicts)).
:- use_module(library(error)).
:- use_module(library(http/json)).
:- use_module(library(lists)).
:- use_module(library(modules)).
:- use_module(library(option)).
:- use_module(library(ordsets)).
:- use_module(library(pairs)).
:- use_module(library(prolog_code)).
:- use_module(library(sandbox)).
:- use_module(library(solution_sequences)).
:- use_module(library(strings)).
:- use_module(library(ugraphs)).
:- use_module(library(yall)).

% Checks see what is loaded here; nothing can be read from the disk once a worker is confined.
:- forall(member(Library,
                 [aggregate, apply, assoc, dcg/basics, dcg/high_order, dicts, error, http/json,
                  lists, option, ordsets, pairs, solution_sequences, strings, ugraphs, yall]),
          user:use_module(library(Library))).

:- dynamic noted/2, failed_at/1.

note(Key, Value) :- assertz(noted(Key, Value)).

:- multifile sandbox:safe_primitive/1.
sandbox:safe_primitive(hone:note(_, _)).
sandbox:safe_primitive(json:atom_json_dict(_, _, _)).
sandbox:safe_primitive(json:atom_json_term(_, _, _)).

limit_stack(Bytes) :- set_prolog_flag(stack_limit, Bytes).

% answer(+Request, -answer(End, Value, Message, Line, Column)): absent parts are ''.
answer(Request, Answer) :-
    retractall(noted(_, _)),
    retractall(failed_at(_)),
    atom_json_dict(Request, Dict, []),
    catch(in_temporary_module(Module, true, judged(Module, Dict, Answer)), Error,
          raised(Error, '', Answer)),
    !.
answer(_, answer(raised, '', 'the check could not be run', '', '')).

judged(Module, Dict, Answer) :-
    add_facts(Module, Dict.variables),
    catch(load(Module, Dict.code), stopped(Answer), true),
    (   nonvar(Answer)
    ->  true
    ;   catch(result(Module, Answer), Error, raised(Error, '', Answer))
    ).

add_facts(Module, Variables) :-
    dict_pairs(Variables, _, Pairs),
    forall(member(Name-Value, Pairs), add_fact(Module, Name, Value)),
    assertz((Module:return(Key, Value) :- hone:note(Key, Value))),
    assertz((Module:return(Result) :- hone:note('', Result))).

add_fact(Module, state, State) :-
    !,
    dynamic(Module:state/2),
    dict_pairs(State, _, Pairs),
    forall(member(Key-Value, Pairs), assertz(Module:state(Key, Value))).
add_fact(Module, Name, Value) :-
    Fact =.. [Name, Value],
    assertz(Module:Fact).

load(Module, Code) :-
    setup_call_cleanup(open_string(Code, Stream), load_terms(Module, Stream), close(Stream)).

load_terms(Module, Stream) :-
    repeat,
    catch(read_term(Stream, Term,
                    [module(Module), syntax_errors(error), term_position(Position)]),
          Error, (not_code(Error, Answer), throw(stopped(Answer)))),
    (   Term == end_of_file
    ->  !
    ;   stream_position_data(line_count, Position, Line),
        catch(use(Term, Module, Line), Error,
              ( Error = stopped(_) -> throw(Error)
              ; raised(Error, Line, Answer), throw(stopped(Answer)) )),
        fail
    ).

use((:- Goal), Module, Line) :- !, call_goal(Goal, Module, Line).
use((?- Goal), Module, Line) :- !, call_goal(Goal, Module, Line).
use(Term, Module, Line) :- is_goal(Term), !, call_goal(Term, Module, Line).
use(Term, Module, _) :-
    expand_term(Term, Clauses),
    (   is_list(Clauses)
    ->  maplist(add_clause(Module), Clauses)
    ;   add_clause(Module, Clauses)
    ).

is_goal(Term) :- memberchk(Term, [(_, _), (_ ; _), (_ -> _), (\+ _), return(_), return(_, _)]), !.
is_goal(Term) :-
    callable(Term),
    Term \= (_ :- _),
    Term \= (_ --> _),
    predicate_property(system:Term, defined).

add_clause(_, Clause) :-
    ( Clause = (Head :- _) -> true ; Head = Clause ),
    strip_module(Head, _, Plain),
    Head \== Plain,
    !,
    permission_error(modify, predicate, Head).
add_clause(Module, Clause) :- assertz(Module:Clause).

call_goal(Goal, Module, Line) :-
    expand_goal(Goal, Expanded),
    safe_goal(Module:Expanded),
    (   call(Module:Expanded)
    ->  true
    ;   assertz(failed_at(Line))
    ).

% What was returned; else what valid/0, score/1 and error/2 say.
result(_, answer(returned, Value, '', '', '')) :-
    findall(Key-Value, noted(Key, Value), Pairs),
    Pairs \== [],
    !,
    returned(Pairs, Term),
    json_text(Term, Value).
result(Module, answer(returned, Value, '', '', '')) :-
    findall(Part, part(Module, Part), Parts),
    Parts \== [],
    !,
    dict_pairs(Dict, _, Parts),
    json_text(Dict, Value).
result(_, answer(returned, '', Message, '', '')) :-
    failed_at(Line),
    !,
    format(string(Message), "nothing: the goal on line ~w of it failed", [Line]).
result(_, answer(returned, '', '', '', '')).

returned(Pairs, _) :-
    select(Key-One, Pairs, Others),
    member(Key-Other, Others),
    One \== Other,
    !,
    throw(returned_twice(Key, One, Other)).
returned(Pairs, Value) :- member(''-Value, Pairs), !.
returned(Pairs, Dict) :- sort(Pairs, Unique), dict_pairs(Dict, _, Unique).

part(Module, valid-Valid) :-
    defined(Module, valid),
    safe_goal(Module:valid),
    ( call(Module:valid) -> Valid = true ; Valid = false ).
part(Module, score-Score) :-
    defined(Module, score(_)),
    safe_goal(Module:score(_)),
    findall(S, limit(2, distinct(S, call(Module:score(S)))), Scores),
    ( Scores = [Score] -> true ; Scores = [A, B], throw(returned_twice(score, A, B)) ).
part(Module, Part) :-
    defined(Module, error(_, _)),
    safe_goal(Module:error(_, _)),
    findall(_{path: Path, message: Text},
            ( limit(100, call(Module:error(Path0, Text0))),
              text_of(Path0, Path), text_of(Text0, Text) ),
            Errors),
    (   Part = (errors-Errors), Errors \== []
    ;   \+ defined(Module, valid), \+ defined(Module, score(_)),
        ( Errors == [] -> Part = (valid-true) ; Part = (valid-false) )
    ).

defined(Module, Head) :-
    functor(Head, Name, Arity),
    current_predicate(Module:Name/Arity),
    \+ predicate_property(Module:Head, imported_from(_)).

text_of(Value, Text) :- ( atomic(Value) -> atom_string(Value, Text) ; term_string(Value, Text) ).

json_text(Term, Text) :-
    jsonable(Term, Json),
    with_output_to(string(Text), json_write_dict(current_output, Json, [width(0)])).

% Numbers that JSON has not and terms that are no values are refused.
jsonable(Value, _) :- var(Value), !, throw(no_json(Value)).
jsonable(Value, Value) :- ( integer(Value) ; string(Value) ; atom(Value) ; Value == [] ), !.
jsonable(Value, Value) :- float(Value), !,
    ( float_class(Value, Class), memberchk(Class, [nan, infinite]) -> throw(no_json(Value)) ; true ).
jsonable(Value, Float) :- rational(Value), !, Float is float(Value).
jsonable(List, Values) :- is_list(List), !, maplist(jsonable, List, Values).
jsonable(Dict, Values) :- is_dict(Dict), !,
    dict_pairs(Dict, _, Pairs),
    maplist([Key-Value, Key-Json]>>jsonable(Value, Json), Pairs, Converted),
    dict_pairs(Values, _, Converted).
jsonable(Value, _) :- throw(no_json(Value)).

not_code(error(syntax_error(What), Context), answer(not_code, '', Message, Line, Column)) :-
    !,
    format(string(Message), "syntax error: ~w", [What]),
    place(Context, Line, Column).
not_code(Error, Answer) :- raised(Error, '', Answer).

place(stream(_, Line, Offset, _), Line, Column) :- !, Column is Offset + 1.
place(string(_, _), '', '') :- !.
place(_, '', '').

raised(returned_twice(Key, One, Other), _, answer(returned, '', Message, '', '')) :-
    !,
    format(string(Message), "`~w` twice, as ~p and ~p", [Key, One, Other]).
raised(no_json(Value), _, answer(returned, '', Message, '', '')) :-
    !,
    format(string(Message), "the term ~p, which is no JSON", [Value]).
raised(Error, Line, answer(raised, '', Message, Line, '')) :-
    catch(described(Error, Message), _, format(string(Message), "~p", [Error])).

described(error(permission_error(call, sandboxed, Goal), _), Message) :-
    !,
    strip_module(Goal, _, Plain),
    functor(Plain, Name, Arity),
    format(string(Message), "no permission to call ~w/~w in a sandbox", [Name, Arity]).
described(Error, Message) :-
    '$messages':translate_message(Error, Lines, []),
    with_output_to(string(Text), print_message_lines(current_output, '', Lines)),
    split_string(Text, "\n", " ", Parts),
    exclude(==(""), Parts, Full),
    atomic_list_concat(Full, ' ', Message).
