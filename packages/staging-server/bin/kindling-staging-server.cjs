#!/usr/bin/env -S node --max-semi-space-size=1
// A small space for young objects: the server's live through one request, and what it does not take for them is memory
// for 64 more transfers. Where the flag does not reach node, it only costs that memory.
require("node:module").enableCompileCache?.();
require("../dist/kindling-staging-server.cjs");
