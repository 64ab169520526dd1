// A quarter of a submission's time would go into compiling. Node 20 has no compile cache, and that of later versions
// leaves out what is compiled as it is first called. What V8 has compiled is code that runs unchecked, so it is kept
// where no one but the user can write: below their cache folder.
const fs = require("node:fs");
const { createRequire } = require("node:module");
const { homedir } = require("node:os");
const path = require("node:path");
const { Script } = require("node:vm");

/** Each module that is kept, by the name that the program requires it by; the program itself has none. */
const KEPT = new Map([["./spark-keys.cjs", "compile-cache-spark-keys"]]);

/**
 * Runs a CommonJS module, with what V8 made of it in an earlier run. Without a home folder, or with Node's own
 * NODE_DISABLE_COMPILE_CACHE=1, it is compiled anew. The module finds `importModule` in its `module`.
 */
module.exports = function runCompiled(file, importModule) {
  const folder = cacheFolder();
  const plainRequire = createRequire(file);
  const loaded = new Map();
  const requireKept = (id) => {
    const name = KEPT.get(id);
    if (name === undefined) return plainRequire(id);
    if (!loaded.has(id)) loaded.set(id, run(plainRequire.resolve(id), name, plainRequire));
    return loaded.get(id);
  };
  run(file, "compile-cache", requireKept);

  function run(file, name, require) {
    const cache = folder && path.join(folder, name);
    const source = fs.readFileSync(file, "utf8");
    const { mtimeMs } = fs.statSync(file);
    // V8 itself looks at the version, the flags and no more of the source than its length.
    const key = Buffer.from(`${process.version} ${process.arch} ${mtimeMs} ${file}\n`);
    const cachedData = cache && read(cache, key);
    const script = new Script(`(function(exports,require,module,__filename,__dirname){${source}\n})`, {
      filename: file,
      cachedData,
    });
    // Of a submission, because that is the longest way through the code, and the one that should be fast.
    const isSubmission = process.argv[2] === "submit" || process.argv[2] === "spark-submit";
    if (cache && (cachedData === undefined || script.cachedDataRejected) && isSubmission) {
      process.once("exit", () => write(cache, key, script.createCachedData()));
    }
    const module = { exports: {}, importModule };
    script.runInThisContext()(module.exports, require, module, file, path.dirname(file));
    return module.exports;
  }
};

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
    // V8 takes it as it is, and ends the process where it is damaged.
    return content.readUInt32LE(key.length) === checksum(data) ? data : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) fs.closeSync(file);
  }
}

/**
 * Sees what a machine leaves that lost its power as it wrote: an end that is missing, and pages that were never written.
 * It looks at 16 bytes of each page: all of them, or loading Node's `crc32`, would take longer than a run can spare.
 */
function checksum(data) {
  let sum = data.length;
  for (let at = 0; at < data.length; at += 251) sum = (sum * 31 + data[at]) | 0;
  return sum >>> 0;
}

/** Whether it can be written or not is nobody's concern but the next run's. */
function write(cache, key, data) {
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(checksum(data));
  const folder = path.dirname(cache);
  const temporary = `${cache}.${process.pid}`;
  try {
    // Not recursively: a home folder that is not there is not made.
    for (const one of [path.dirname(folder), folder]) if (!fs.existsSync(one)) fs.mkdirSync(one, { mode: 0o700 });
    writeWhole(temporary, Buffer.concat([key, sum, data]));
    fs.renameSync(temporary, cache);
  } catch {
    // No home folder, no room, no rights: all of that is fine.
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
