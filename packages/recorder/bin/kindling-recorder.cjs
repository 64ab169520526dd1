#!/usr/bin/env -S node --max-semi-space-size=2 --optimize-for-size
// As in the image: lines of logs are garbage at once, and these flags collect it early. Where they do not reach node, that only
// costs memory.
require("node:module").enableCompileCache?.();
require("../dist/kindling-recorder.cjs");
