/** One header of a tar archive, with anything in its fields. */
export interface TarMember {
  readonly name: string;
  readonly type?: string;
  readonly mode?: number;
  readonly content?: string | Buffer;
  readonly link?: string;
  /** A false size for the header. */
  readonly size?: number;
  readonly magic?: string;
  readonly prefix?: string;
  readonly checksum?: number;
}

/** The bytes of a tar archive; `tar` itself would not write most of those that tests need. */
export function tarBytes(members: readonly TarMember[], end: Buffer = Buffer.alloc(1024)): Buffer {
  return Buffer.concat([...members.flatMap(memberBytes), end]);
}

function memberBytes(member: TarMember): Buffer[] {
  const content = Buffer.from(member.content ?? "");
  const header = Buffer.alloc(512);
  const put = (text: string, offset: number): void => void header.write(text, offset, "utf8");
  put(member.name, 0);
  put(`${(member.mode ?? 0o644).toString(8).padStart(7, "0")}\0`, 100);
  put(`${(member.size ?? content.length).toString(8).padStart(11, "0")}\0`, 124);
  put(member.type ?? "0", 156);
  put(member.link ?? "", 157);
  put(member.magic ?? "ustar\x0000", 257);
  put(member.prefix ?? "", 345);
  put("        ", 148);
  const sum = member.checksum ?? header.reduce((total, byte) => total + byte, 0);
  put(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
}

/** One record of a pax extended header. */
export function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  let length = Buffer.byteLength(rest) + 1;
  while (String(length).length + Buffer.byteLength(rest) !== length) length++;
  return `${length}${rest}`;
}
