// @ts-check
// Fetches the Airflow that the end-to-end suite runs against, from PyPI, into a Python environment of its own; prints the
// path of its Python, for KINDLING_E2E_AIRFLOW. It needs a Python of 3.11 or later with venv.
import { pythonEnvironment } from "../python-environment.mjs";

process.stdout.write(`${pythonEnvironment("airflow", new URL("requirements.txt", import.meta.url))}\n`);
