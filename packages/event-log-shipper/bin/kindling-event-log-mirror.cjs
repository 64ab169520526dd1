#!/usr/bin/env node
// No compile cache: a container's file system is new at each start.
require("../dist/kindling-event-log-mirror.cjs");
