// @ts-check
// Fetches the clients of Spark Connect that the end-to-end suites try, from PyPI, into a Python environment of its own; prints
// the path of its Python, for KINDLING_E2E_CONNECT_PYTHON. It needs a Python of 3.11 or later with venv.
import { pythonEnvironment } from "../python-environment.mjs";

process.stdout.write(`${pythonEnvironment("connect-clients", new URL("requirements.txt", import.meta.url))}\n`);
