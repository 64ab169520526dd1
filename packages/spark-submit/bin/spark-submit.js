#!/usr/bin/env node
// `kindling spark-submit`, under the name that callers use.
const path = require("node:path");

const manifest = require.resolve("@kindling/submit-cli/package.json");
process.argv.splice(2, 0, "spark-submit");
// The exit code of a JVM that a hang-up ends.
process.once("SIGHUP", () => process.exit(129));
require(path.join(path.dirname(manifest), require(manifest).bin.kindling));
