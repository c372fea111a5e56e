"""A notebook on the user's own ground: what its cells write is there afterwards, in its folder and in the workspace, at the real time."""
import os
import pathlib
import subprocess
import tempfile
import time
import unittest

import nbformat
from jupyter_client.manager import start_new_kernel
from nbclient import NotebookClient

PROGRAM = os.environ["RUTTER_PROGRAM"]


def run(folder, *cells):
    """The notebook of these cells after nbclient ran it in a folder."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    NotebookClient(notebook, kernel_name="rutter", timeout=60, resources={"metadata": {"path": folder}}).execute()
    return notebook


class OwnGround(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.home = tempfile.mkdtemp()
        os.environ["XDG_DATA_HOME"] = self.home

    def rutter(self, *entries):
        return subprocess.run([PROGRAM, *(word for entry in entries for word in ("-c", entry))], capture_output=True, text=True).stdout

    def test_what_is_written_is_there_afterwards(self):
        run(self.folder, "waypoint add 47.1,8.1 --label Cairn", "waypoint list | save points.csv")
        self.assertIn("Cairn", pathlib.Path(self.folder, "points.csv").read_text())
        self.assertIn("Cairn", self.rutter("waypoint list"))

    def test_a_second_notebook_sees_the_first(self):
        run(self.folder, "waypoint add 47.1,8.1 --label Cairn")
        shown = run(self.folder, "waypoint list | get label")
        self.assertIn("Cairn", shown.cells[0].outputs[0].data["text/plain"])

    def test_the_clock_is_the_real_one(self):
        shown = run(self.folder, "clock | to json").cells[0].outputs[0].data["text/plain"]
        self.assertIn(time.strftime("%Y-%m-%d", time.gmtime()), shown)

    def test_front_matter_asks_for_a_temporary_workspace(self):
        run(self.folder, "---\nseed: 1\n---", "waypoint add 47.1,8.1 --label Passing")
        self.assertNotIn("Passing", self.rutter("waypoint list"))

    def test_the_banner_says_where_cells_work(self):
        manager, client = start_new_kernel(kernel_name="rutter", cwd=self.folder)
        try:
            client.kernel_info()
            banner = client.get_shell_msg(timeout=20)["content"]["banner"]
        finally:
            client.stop_channels()
            manager.shutdown_kernel()
        self.assertIn(os.path.realpath(self.folder), banner)
        self.assertIn(self.home, banner)


if __name__ == "__main__":
    unittest.main(verbosity=1)
