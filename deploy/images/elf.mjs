// @ts-check
// The two things in ELF files that an image needs. Only 64 bits and little endian: Node is built only for these on Linux.

const PROGRAM_HEADERS = 32;
const SECTION_HEADERS = 40;
const PROGRAM_HEADER_SIZE = 54;
const PROGRAM_HEADER_COUNT = 56;
const SECTION_HEADER_COUNT = 60;
const SECTION_NAMES = 62;

/**
 * A program without the parts that only debuggers read, like the output of `strip`: everything after the last loaded part is
 * removed. For Node that is an eighth of the file. Symbols for libraries and add-ons are loaded, and stay.
 *
 * @param {Buffer} program
 */
export function withoutSymbols(program) {
  const isElf64 = program.readUInt32BE(0) === 0x7f_45_4c_46 && program[4] === 2 && program[5] === 1;
  if (!isElf64) throw new Error("not a program for 64-bit Linux");
  const headers = Number(program.readBigUInt64LE(PROGRAM_HEADERS));
  const size = program.readUInt16LE(PROGRAM_HEADER_SIZE);
  const count = program.readUInt16LE(PROGRAM_HEADER_COUNT);
  const ends = Array.from({ length: count }, (_, index) => {
    const at = headers + index * size;
    return Number(program.readBigUInt64LE(at + 8) + program.readBigUInt64LE(at + 32));
  });
  const stripped = Buffer.from(program.subarray(0, Math.max(headers + count * size, ...ends)));
  stripped.writeBigUInt64LE(0n, SECTION_HEADERS);
  stripped.writeUInt16LE(0, SECTION_HEADER_COUNT);
  stripped.writeUInt16LE(0, SECTION_NAMES);
  return stripped;
}

/**
 * The libraries of a program according to `ldd`, by their paths.
 *
 * @param {string} said the output of ldd
 */
export function libraries(said) {
  const missing = /^\s*(\S+) => not found/m.exec(said)?.[1];
  if (missing !== undefined) throw new Error(`${missing} is not on this machine`);
  return [...said.matchAll(/^\s*(?:\S+ => )?(\/\S+) \(0x/gm)].map(([, path = ""]) => path);
}
