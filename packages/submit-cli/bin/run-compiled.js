// Compilation would take a quarter of a submission's time. Node 20 has no compile cache, and that of later versions leaves
// out code that is compiled at its first call. V8's compiled code runs unchecked, so it is stored where only the user can
// write: below the user's cache folder.
const fs = require("node:fs");
const { createRequire } = require("node:module");
const { homedir } = require("node:os");
const path = require("node:path");
const { Script } = require("node:vm");

/** Commands that store what was compiled. Each goes its own way through the program, far enough to be worth it. */
const STORED_BY = new Map([
  ["submit", "compile-cache"],
  ["spark-submit", "compile-cache"],
  ["logs", "compile-cache-logs"],
]);
const STORED = [...new Set(STORED_BY.values())];

/** Each stored module, by the name that the program requires it by; the program itself has none. */
const KEPT = new Map([["./spark-keys.cjs", "compile-cache-spark-keys"]]);

/**
 * Runs a CommonJS module with the code that V8 compiled in an earlier run. Without a home folder, or with Node's own
 * NODE_DISABLE_COMPILE_CACHE=1, it is compiled again. The module finds `importModule` in its `module`.
 */
module.exports = function runCompiled(file, importModule) {
  const folder = cacheFolder();
  const own = STORED_BY.get(process.argv[2]);
  const plainRequire = createRequire(file);
  const loaded = new Map();
  const requireKept = (id) => {
    const name = KEPT.get(id);
    if (name === undefined) return plainRequire(id);
    if (!loaded.has(id)) loaded.set(id, run(plainRequire.resolve(id), own && name, plainRequire, [name]));
    return loaded.get(id);
  };
  run(file, own, requireKept, STORED);

  /** @param others names of what fits in part, if there is nothing of its own */
  function run(file, name, require, others) {
    const cache = folder && name && path.join(folder, name);
    const source = fs.readFileSync(file, "utf8");
    const { mtimeMs } = fs.statSync(file);
    // V8 itself checks only the version, the flags and the length of the source.
    const key = Buffer.from(`${process.version} ${process.arch} ${mtimeMs} ${file}\n`);
    const kept = cache && read(cache, key);
    const cachedData = kept ?? firstOf(others, (other) => folder && read(path.join(folder, other), key));
    const script = new Script(`(function(exports,require,module,__filename,__dirname){${source}\n})`, {
      filename: file,
      cachedData,
    });
    if (cache && (kept === undefined || script.cachedDataRejected)) {
      process.once("exit", () => write(cache, key, script.createCachedData()));
    }
    const module = { exports: {}, importModule };
    script.runInThisContext()(module.exports, require, module, file, path.dirname(file));
    return module.exports;
  }
};

function firstOf(names, find) {
  for (const name of names) {
    const found = find(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function cacheFolder() {
  if (process.env.NODE_DISABLE_COMPILE_CACHE === "1" || process.getuid === undefined) return undefined;
  const { XDG_CACHE_HOME: cacheHome = "" } = process.env;
  return path.join(path.isAbsolute(cacheHome) ? cacheHome : path.join(homedir(), ".cache"), "kindling");
}

function read(cache, key) {
  let file;
  try {
    file = fs.openSync(cache, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW);
    const { uid, mode } = fs.fstatSync(file);
    if (uid !== process.getuid() || (mode & 0o022) !== 0) return undefined;
    const content = fs.readFileSync(file);
    if (!content.subarray(0, key.length).equals(key)) return undefined;
    const data = content.subarray(key.length + 4);
    // V8 uses it unchecked, and ends the process if it is damaged.
    return content.readUInt32LE(key.length) === checksum(data) ? data : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) fs.closeSync(file);
  }
}

/**
 * Detects damage from a power loss during writing: a missing end, and pages that were never written. It reads 16 bytes of
 * each page: reading everything, or loading Node's `crc32`, would take too long for a run.
 */
function checksum(data) {
  let sum = data.length;
  for (let at = 0; at < data.length; at += 251) sum = (sum * 31 + data[at]) | 0;
  return sum >>> 0;
}

/** If it cannot be written, only the next run is affected. */
function write(cache, key, data) {
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(checksum(data));
  const folder = path.dirname(cache);
  const temporary = `${cache}.${process.pid}`;
  try {
    // Not recursively: a missing home folder is not created.
    for (const one of [path.dirname(folder), folder]) if (!fs.existsSync(one)) fs.mkdirSync(one, { mode: 0o700 });
    writeWhole(temporary, Buffer.concat([key, sum, data]));
    fs.renameSync(temporary, cache);
  } catch {
    // No home folder, no space, no rights: none of these is an error.
  }
}

function writeWhole(file, content) {
  const handle = fs.openSync(file, "wx", 0o600);
  try {
    fs.writeFileSync(handle, content);
    fs.fsyncSync(handle);
  } catch (error) {
    fs.unlinkSync(file);
    throw error;
  } finally {
    fs.closeSync(handle);
  }
}
