// The checks of a task file that ask a model: judge, criteria, compare.
#pragma once

#include "hone/base/json.h"
#include "hone/task/files.h"
#include "hone/task/task_file.h"
#include "hone/yaml/field.h"

namespace hone::task {

// All throw InvalidInput at the place of what is wrong. `always` is set if the check says so.
JudgeCheck read_judge(const yaml::Field& field, Files& files, bool* always);
CriteriaCheck read_criteria(const yaml::Field& field, Files& files);
CompareCheck read_compare(const yaml::Field& field, Files& files);

// What the readers above read as the same checks.
Json to_json(const JudgeCheck& check);
Json to_json(const CriteriaCheck& check);
Json to_json(const CompareCheck& check);

}  // namespace hone::task
