// A disk that remembers, in order, all that is written to it, and when it was told to flush. It is one file, served
// through FUSE by this process, from memory; a loop device makes a block device of it. From what it has recorded, any
// state can be made that a loss of power could have left.
//
//   node recording-disk.mjs FILE BYTES LOG
//
// Each record of the log: time in ns (8 bytes), kind (4: 0 write, 1 flush), length (4), offset (8), the bytes.
// Sources: Linux, include/uapi/linux/fuse.h (protocol 7.31) and Documentation/filesystems/fuse.rst.
import { spawnSync } from "node:child_process";
import { openSync, read, writeFileSync, writeSync, writevSync } from "node:fs";

const [file = "", bytes = "0", log = ""] = process.argv.slice(2);
const size = Number(bytes);
const image = Buffer.alloc(size);
const record = openSync(log, "wx");

const Op = { GETATTR: 3, SETATTR: 4, OPEN: 14, READ: 15, WRITE: 16, STATFS: 17, RELEASE: 18, FSYNC: 20, INIT: 26 };
const NO_ANSWER = new Set([2, 36, 42]); // FORGET, INTERRUPT, BATCH_FORGET
const FLUSH = 25;
const HEADER = 40;
const ENOSYS = 38;
const MOST_BYTES = 1024 * 1024;

writeFileSync(file, "", { flag: "wx" });
const device = openSync("/dev/fuse", "r+");
const options = "fd=3,rootmode=100600,user_id=0,group_id=0";
const mounted = spawnSync("mount", ["-i", "-t", "fuse", "-o", options, "recording-disk", file], {
  stdio: ["ignore", "ignore", "inherit", device],
});
if (mounted.status !== 0) process.exit(1);

function note(kind, offset, data) {
  const head = Buffer.alloc(24);
  head.writeBigUInt64LE(process.hrtime.bigint(), 0);
  head.writeUInt32LE(kind, 8);
  head.writeUInt32LE(data.length, 12);
  head.writeBigUInt64LE(BigInt(offset), 16);
  writevSync(record, [head, data]);
}

function answer(unique, error, body = Buffer.alloc(0)) {
  const head = Buffer.alloc(16);
  head.writeUInt32LE(16 + body.length, 0);
  head.writeInt32LE(error, 4);
  head.writeBigUInt64LE(unique, 8);
  writeSync(device, Buffer.concat([head, body]));
}

/** `fuse_attr_out`: for an hour, a file of that size. */
function attributes() {
  const out = Buffer.alloc(16 + 88);
  out.writeBigUInt64LE(3600n, 0);
  out.writeBigUInt64LE(1n, 16);
  out.writeBigUInt64LE(BigInt(size), 24);
  out.writeBigUInt64LE(BigInt(size / 512), 32);
  out.writeUInt32LE(0o100600, 16 + 60);
  out.writeUInt32LE(1, 16 + 64);
  out.writeUInt32LE(4096, 16 + 80);
  return out;
}

/** `fuse_init_out`: writes of up to a megabyte. */
function initialised(request) {
  const out = Buffer.alloc(64);
  out.writeUInt32LE(7, 0);
  out.writeUInt32LE(31, 4);
  out.writeUInt32LE(request.readUInt32LE(HEADER + 8), 8);
  const [BIG_WRITES, MAX_PAGES] = [1 << 5, 1 << 22];
  out.writeUInt32LE(BIG_WRITES | MAX_PAGES, 12);
  out.writeUInt16LE(12, 16);
  out.writeUInt16LE(10, 18);
  out.writeUInt32LE(MOST_BYTES, 20);
  out.writeUInt32LE(1, 24);
  out.writeUInt16LE(MOST_BYTES / 4096, 28);
  return out;
}

function handle(request) {
  const opcode = request.readUInt32LE(4);
  const unique = request.readBigUInt64LE(8);
  if (NO_ANSWER.has(opcode)) return;
  const offset = () => Number(request.readBigUInt64LE(HEADER + 8));
  const length = () => request.readUInt32LE(HEADER + 16);
  switch (opcode) {
    case Op.INIT:
      return answer(unique, 0, initialised(request));
    case Op.GETATTR:
    case Op.SETATTR:
      return answer(unique, 0, attributes());
    case Op.OPEN: {
      const out = Buffer.alloc(16);
      // FOPEN_DIRECT_IO: the kernel caches no bytes before they come here.
      out.writeUInt32LE(1, 8);
      return answer(unique, 0, out);
    }
    case Op.READ:
      return answer(unique, 0, image.subarray(offset(), Math.min(size, offset() + length())));
    case Op.WRITE: {
      const data = request.subarray(HEADER + 40, HEADER + 40 + length());
      data.copy(image, offset());
      note(0, offset(), data);
      const out = Buffer.alloc(8);
      out.writeUInt32LE(data.length, 0);
      return answer(unique, 0, out);
    }
    case Op.FSYNC:
      note(1, 0, Buffer.alloc(0));
      return answer(unique, 0);
    case Op.RELEASE:
    case FLUSH:
      return answer(unique, 0);
    default:
      return answer(unique, -ENOSYS);
  }
}

const buffer = Buffer.allocUnsafeSlow(MOST_BYTES + 64 * 1024);
function next() {
  read(device, buffer, 0, buffer.length, null, (error, length) => {
    // The file was unmounted.
    if (error?.code === "ENODEV") process.exit(0);
    if (error === null) handle(buffer.subarray(0, length));
    else if (error.code !== "EINTR" && error.code !== "ENOENT" && error.code !== "EAGAIN") throw error;
    next();
  });
}
next();
process.send?.("ready");
// The parent process unmounts the disk.
process.on("SIGINT", () => undefined);
