#!/usr/bin/env node
require("./run-compiled.js")(require.resolve("../dist/kindling.cjs"), (url) => import(url));
