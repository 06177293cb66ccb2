"""Runs a notebook cell by cell with Jupyter's own client, and prints the texts and kinds of pictures of each as JSON. With a second path it is stored, too."""
import json
import sys

import nbformat
from nbclient import NotebookClient

notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, kernel_name="python3").execute()
if len(sys.argv) > 2:
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
    nbformat.write(notebook, sys.argv[2])
print(json.dumps([
    [(output["data"].get("text/plain"), sorted(output["data"])) for output in cell.outputs if output.output_type in ("execute_result", "display_data")]
    for cell in notebook.cells if cell.cell_type == "code"
]))
