#!/usr/bin/env node
import "../dist/create-step.js";
