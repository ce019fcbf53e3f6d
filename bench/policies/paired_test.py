"""python3 bench/policies/paired_test.py"""

import math
import unittest

import compare
import paired


class Paired(unittest.TestCase):
    def test_mcnemar_is_the_exact_sign_test(self):
        self.assertEqual(paired.mcnemar(0, 0), 1.0)
        self.assertEqual(paired.mcnemar(3, 3), 1.0)
        self.assertAlmostEqual(paired.mcnemar(5, 0), 2 / 32)
        self.assertAlmostEqual(paired.mcnemar(1, 9), 2 * (1 + 10) / 1024)
        self.assertEqual(paired.mcnemar(2, 8), paired.mcnemar(8, 2))

    def test_only_common_pairs_count(self):
        reference = {("a", 1): False, ("a", 2): True, ("b", 1): False}
        other = {("a", 1): True, ("a", 2): True, ("c", 1): True}
        found = paired.compare(reference, other)
        self.assertEqual((found["pairs"], found["gained"], found["lost"]), (2, 1, 0))
        self.assertEqual(found["difference"], 0.5)

    def test_the_interval_holds_the_mean_and_shrinks_with_more_tasks(self):
        def width(tasks):
            pairs = [(task, int(task % 4 == 0)) for task in range(tasks)]
            low, high = paired.bootstrap(pairs, resamples=2000)
            self.assertLessEqual(low, 0.25)
            self.assertGreaterEqual(high, 0.25)
            return high - low
        self.assertLess(width(400), width(20))

    def test_runs_of_one_task_are_no_evidence_of_many_tasks(self):
        one_task = paired.bootstrap([("a", i % 2) for i in range(100)], resamples=500)
        self.assertEqual(one_task, (0.5, 0.5))

    def test_nothing_in_common_is_no_number(self):
        found = paired.compare({}, {("a", 1): True})
        self.assertEqual(found["pairs"], 0)
        self.assertTrue(math.isnan(found["difference"]))


class Plan(unittest.TestCase):
    def test_every_task_is_run_the_asked_way_within_the_same_calls(self):
        text = compare.task_text("task: x\n", compare.POLICIES["show_best"], calls=5)
        self.assertIn("revise: {strategy: regenerate, policy: show_best}", text)
        self.assertIn("budget: {calls: 5}", text)

    def test_a_first_attempt_that_passed_serves_all_policies(self):
        first = {"solved": True, "attempts": 1}
        self.assertTrue(compare.is_shared(first))
        self.assertFalse(compare.is_shared({"solved": True, "attempts": 2}))
        self.assertFalse(compare.is_shared({"solved": False, "attempts": 1}))


if __name__ == "__main__":
    unittest.main()
