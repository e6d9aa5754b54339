"""Tests of the commands as functions, with the real command (SHEAF names it) and this repository's examples."""

import os
import tempfile
import unittest

import sheaf

EXAMPLES = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "examples")
WORKFLOW = os.path.join(EXAMPLES, "small-workflow.yaml")
QUEUE = os.path.join(EXAMPLES, "small-queue.swf")


class ClientTest(unittest.TestCase):
    def test_plan_has_a_row_for_each_job(self):
        plan = sheaf.plan(WORKFLOW, trace=QUEUE, start="0s", strategies=["onejob", "auto"])
        self.assertEqual(plan["tasks"], 11)
        self.assertEqual({row["strategy"] for row in plan.rows}, {"onejob", "auto"})
        self.assertIn("<td>onejob</td>", plan._repr_html_())

    def test_compare_has_a_row_for_each_strategy(self):
        figures = sheaf.compare(WORKFLOW, trace=QUEUE, start="0s", strategies="onejob,auto", **{"for": "1h"})
        self.assertEqual({row["strategy"] for row in figures.rows}, {"onejob", "auto", "zhang"})
        self.assertGreater(figures.rows[0]["meanMakespanSeconds"], 0)

    def test_a_simulation_shows_its_chart(self):
        run = sheaf.simulate(WORKFLOW, trace=QUEUE, start="0s", strategy="onejob")
        self.assertGreater(run["makespanSeconds"], 0)
        self.assertTrue(run._repr_html_().startswith("<svg"))

    def test_predict(self):
        start = sheaf.predict(trace=QUEUE, start="1h", nodes=2, time="1h")
        self.assertEqual(len(start.rows), 1)

    def test_run_and_status(self):
        with tempfile.TemporaryDirectory() as folder:
            work = os.path.join(folder, "work")
            os.mkdir(work)
            done = sheaf.run(os.path.join(EXAMPLES, "hello.yaml"), work_dir=work, run_dir=os.path.join(folder, "run"))
            self.assertTrue(os.path.exists(os.path.join(folder, "results", "hello.txt")))
            self.assertEqual((done["done"], done["failed"]), (1, 0))
            self.assertIn("<iframe", done._repr_html_())
            self.assertEqual(sheaf.status(os.path.join(folder, "run"))["state"], "done")

    def test_lab(self):
        experiment = os.path.join(os.path.dirname(EXAMPLES), "experiments", "asa-convergence.yaml")
        with tempfile.TemporaryDirectory() as folder:
            runs = sheaf.lab(experiment, os.path.join(folder, "out"), quick=True)
            self.assertGreater(len(runs.rows), 10)

    def test_an_error_has_the_commands_message_and_status(self):
        with self.assertRaisesRegex(sheaf.SheafError, "missing.yaml") as raised:
            sheaf.plan("missing.yaml", trace=QUEUE)
        self.assertEqual(raised.exception.status, 3)


if __name__ == "__main__":
    unittest.main()
