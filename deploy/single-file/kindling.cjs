// The program of the single file. Node runs only one script from such a file, without `require` and `import` of other files,
// so this one loads the command's bundle, and the code that V8 compiled from it when the file was made.
const { createRequire } = require("node:module");
const path = require("node:path");
const { getAsset, getAssetKeys, getRawAsset } = require("node:sea");
const { Script, constants } = require("node:vm");

const IMPORTING = { importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER };
const FOLDER = path.dirname(process.execPath);
const builtIn = createRequire(process.execPath);
const assets = new Set(getAssetKeys());
const importModule = new Script("(url) => import(url)", IMPORTING).runInThisContext();
const loaded = new Map();

/** A module of the bundle. Everything else is Node's own: the bundle has no other dependencies. */
function load(name) {
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  const filename = path.join(FOLDER, name);
  const code = `(function(exports,require,module,__filename,__dirname){${getAsset(name, "utf8")}\n})`;
  const cachedData = assets.has(`${name}.cache`) ? Buffer.from(getRawAsset(`${name}.cache`)) : undefined;
  const script = new Script(code, { filename, cachedData, ...IMPORTING });
  const module = { exports: {}, importModule };
  loaded.set(name, module);
  // How build.mjs gets the compiled code: after a run, so that it has the functions that were called.
  const { KINDLING_COMPILED_CODE: folder } = process.env;
  if (folder !== undefined && cachedData === undefined) {
    process.once("exit", () => {
      require("node:fs").writeFileSync(path.join(folder, `${name}.cache`), script.createCachedData());
    });
  }
  const requireFrom = (id) => (id.startsWith("./") ? load(path.basename(id)) : builtIn(id));
  script.runInThisContext()(module.exports, requireFrom, module, filename, FOLDER);
  return module.exports;
}

load("kindling.cjs");
