// The parts of a task file that say when a run ends, what it may cost and what it returns.
#pragma once

#include "hone/task/task_file.h"
#include "hone/yaml/field.h"

namespace hone::task {

// Each throws InvalidInput at the place of what is wrong, or of what is not in this version.
core::Budget read_budget(const yaml::Field& field);
core::Selection read_select(const yaml::Field& field);
reflect::RevisionOptions read_revise(const yaml::Field& field);
double read_accept(const yaml::Field& field);
LessonRules read_lessons(const yaml::Field& field);
ReflectionRules read_reflect(const yaml::Field& field);
EscalationRules read_escalate(const yaml::Field& field);

}  // namespace hone::task
