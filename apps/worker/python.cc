// Python in a worker, through libpython.
#include <Python.h>

#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/worker/language.h"
#include "apps/worker/python_harness.h"
#include "hone/base/error.h"
#include "hone/base/text.h"

namespace hone::worker {
namespace {

struct Release {
  void operator()(PyObject* object) const { Py_XDECREF(object); }
};
using Object = std::unique_ptr<PyObject, Release>;

Object text_object(const std::string& text) {
  return Object(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

std::string text_from(PyObject* object) {
  if (object == nullptr || object == Py_None) return {};
  const Object bytes(PyUnicode_AsEncodedString(object, "utf-8", "replace"));
  if (!bytes) {
    PyErr_Clear();
    return {};
  }
  return to_utf8(
      {PyBytes_AsString(bytes.get()), static_cast<std::size_t>(PyBytes_Size(bytes.get()))});
}

std::optional<int> number_from(PyObject* object) {
  if (object == nullptr || !PyLong_Check(object)) return std::nullopt;
  const long value = PyLong_AsLong(object);
  if (value > 0 && value < 1'000'000'000) return static_cast<int>(value);
  PyErr_Clear();
  return std::nullopt;
}

core::CodeResult raised(std::string message) {
  return {.end = core::CodeEnd::Raised, .message = std::move(message)};
}

// What str() says of the error that is pending, as the exception's class where it says nothing.
core::CodeResult pending_error() {
  PyObject* type = nullptr;
  PyObject* value = nullptr;
  PyObject* trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  const Object owns_type(type);
  const Object owns_value(value);
  const Object owns_trace(trace);
  const Object text(value != nullptr ? PyObject_Str(value) : nullptr);
  PyErr_Clear();
  return raised(text_from(text.get()));
}

void throw_pending() {
  throw Error(ErrorKind::Internal, "Python could not be started: " + pending_error().message);
}

PyConfig configuration() {
  PyConfig config;
  PyConfig_InitIsolatedConfig(&config);
  config.site_import = 0;
  config.write_bytecode = 0;
  config.install_signal_handlers = 0;
  // The same code gives the same verdict, also where it depends on the order of a set.
  config.use_hash_seed = 1;
  config.hash_seed = 0;
  return config;
}

class Python final : public Interpreter {
 public:
  Python();
  std::string version() const override;
  core::CodeResult answer(const core::CodeRequest& request) override;
  core::CodeRequest sample() const override;
  void settle() override;

 private:
  core::CodeResult test(const core::CodeRequest& request);
  core::CodeResult value(const core::CodeRequest& request);
  core::CodeResult call(const char* function, const Object& arguments);
  PyObject* function(const char* name) const { return PyDict_GetItemString(harness_.get(), name); }

  Object harness_;
};

Python::Python() : harness_(nullptr) {
  PyConfig config = configuration();
  PyConfig_SetString(&config, &config.program_name, L"/usr/bin/python3.11");
  const PyStatus status = Py_InitializeFromConfig(&config);
  PyConfig_Clear(&config);
  if (PyStatus_Exception(status)) throw Error(ErrorKind::Internal, "Python could not be started");
  harness_ = Object(PyDict_New());
  PyDict_SetItemString(harness_.get(), "__builtins__", PyEval_GetBuiltins());
  const Object code(Py_CompileString(kPythonHarness, "<hone>", Py_file_input));
  if (!code) throw_pending();
  const Object done(PyEval_EvalCode(code.get(), harness_.get(), harness_.get()));
  if (!done) throw_pending();
}

core::CodeRequest Python::sample() const {
  core::CodeRequest request;
  request.code = "return len(output) == 4";
  request.variables = JsonText{R"({"output":"aaaa","state":{"output":"aaaa"}})"};
  return request;
}

// The collector writes into every object that it looks at: it leaves these alone.
void Python::settle() {
  PyGC_Collect();
  PyRun_SimpleString("import gc; gc.freeze()");
}

std::string Python::version() const {
  const std::string text = Py_GetVersion();
  return text.substr(0, text.find(' '));
}

// The five parts of the harness's answer.
core::CodeResult Python::call(const char* name, const Object& arguments) {
  const Object answer(PyObject_CallObject(function(name), arguments.get()));
  if (!answer || !PyTuple_Check(answer.get())) return pending_error();
  const auto part = [&](Py_ssize_t index) { return PyTuple_GetItem(answer.get(), index); };
  core::CodeResult result;
  result.end = core::code_end_from(text_from(part(0))).value_or(core::CodeEnd::Died);
  if (part(1) != Py_None) result.value = JsonText{text_from(part(1))};
  result.message = text_from(part(2));
  result.line = number_from(part(3));
  result.column = number_from(part(4));
  return result;
}

// The code that is tested could look for functions of the harness on the stack and change them:
// there are none, and whether it passed is decided here.
core::CodeResult Python::test(const core::CodeRequest& request) {
  const std::string source = "from typing import *\n" + request.code + "\n" + request.test;
  if (source.find('\0') != std::string::npos) return raised("the code has a zero byte");
  const Object code(Py_CompileString(source.c_str(), "<string>", Py_file_input));
  if (!code) return pending_error();
  const Object space(PyDict_New());
  const Object name(PyUnicode_FromString("__main__"));
  PyDict_SetItemString(space.get(), "__builtins__", PyEval_GetBuiltins());
  PyDict_SetItemString(space.get(), "__name__", name.get());
  const Object done(PyEval_EvalCode(code.get(), space.get(), space.get()));
  if (!done) return pending_error();
  return {.end = core::CodeEnd::Returned, .value = JsonText{"true"}};
}

core::CodeResult Python::value(const core::CodeRequest& request) {
  const Object space(PyDict_New());
  const Object main(PyUnicode_FromString("__main__"));
  PyDict_SetItemString(space.get(), "__builtins__", PyEval_GetBuiltins());
  PyDict_SetItemString(space.get(), "__name__", main.get());
  const Object code = text_object(request.code);
  const Object test = text_object(request.test);
  const Object text(PyObject_CallFunctionObjArgs(function("value_text"), code.get(), test.get(),
                                                 space.get(), nullptr));
  if (!text) return pending_error();
  return {.end = core::CodeEnd::Returned, .value = JsonText{dump(Json(text_from(text.get())))}};
}

core::CodeResult Python::answer(const core::CodeRequest& request) {
  const std::string use(core::to_string(request.use));
  if (!request.shared.empty()) {
    const double seconds = std::chrono::duration<double>(request.limits.timeout).count();
    const Object arguments(Py_BuildValue("(ssssd)", request.shared.c_str(), use.c_str(),
                                         request.code.c_str(), request.test.c_str(), seconds));
    return call("shared", arguments);
  }
  if (request.use == core::CodeUse::Test) return test(request);
  if (request.use == core::CodeUse::Value) return value(request);
  const Object code = text_object(request.code);
  const Object variables = text_object(request.variables.text);
  const Object arguments(PyTuple_Pack(2, code.get(), variables.get()));
  return call("check", arguments);
}

}  // namespace

std::unique_ptr<Interpreter> make_python() { return std::make_unique<Python>(); }

}  // namespace hone::worker
