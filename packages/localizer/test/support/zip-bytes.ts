import { crc32, deflateRawSync } from "node:zlib";

/** One member of a zip archive, with anything in its fields. */
export interface ZipMember {
  readonly name: string;
  readonly content?: string | Buffer;
  /** The Unix mode with the file's type; without it, the archive is an MS-DOS one. */
  readonly unix?: number;
  readonly deflate?: boolean;
  /** A false size for the central directory. */
  readonly size?: number;
  readonly crc?: number;
  readonly flags?: number;
  readonly method?: number;
}

/** The bytes of a zip archive (PKWARE APPNOTE.TXT); programs would not write most of those that tests need. */
export function zipBytes(members: readonly ZipMember[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const member of members) {
    const plain = Buffer.from(member.content ?? "");
    const data = member.deflate === true ? deflateRawSync(plain) : plain;
    const name = Buffer.from(member.name);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE((member.flags ?? 0) | 0x800, 2);
    fields.writeUInt16LE(member.method ?? (member.deflate === true ? 8 : 0), 4);
    fields.writeUInt32LE(member.crc ?? crc32(plain), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(member.size ?? plain.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), fields, name, data]);
    const made = Buffer.alloc(2);
    made.writeUInt16LE(member.unix === undefined ? 20 : (3 << 8) | 20);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(((member.unix ?? 0) << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.from("PK\x01\x02"), made, fields, tail, name);
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(members.length, 4);
  end.writeUInt16LE(members.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, central, Buffer.from("PK\x05\x06"), end]);
}
