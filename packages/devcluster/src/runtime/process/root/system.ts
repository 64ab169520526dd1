import { lstatSync, readFileSync, readlinkSync, statSync } from "node:fs";
import type { Bind, OwnFile } from "./bind.ts";

/** What every container sees of this machine's system. */
export interface System {
  readonly binds: readonly Bind[];
  readonly files: readonly OwnFile[];
  readonly links: readonly { readonly path: string; readonly to: string }[];
}

const PROGRAMS = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store"];
/** Settings that programs of this machine need. */
const SETTINGS_FOLDERS = [
  "alternatives", "ssl", "pki", "ca-certificates", "crypto-policies", "fonts", "R", "ld.so.conf.d", "perl",
  "java", "java-8-openjdk", "java-11-openjdk", "java-17-openjdk", "java-21-openjdk", "java-25-openjdk",
  "python3", "python3.9", "python3.10", "python3.11", "python3.12", "python3.13", "python3.14",
]; // prettier-ignore
const SETTINGS_FILES = [
  "passwd", "group", "nsswitch.conf", "ld.so.cache", "ld.so.conf", "host.conf", "gai.conf", "services", "protocols",
  "mime.types", "timezone", "localtime", "os-release", "locale.conf", "bash.bashrc", "profile", "resolv.conf",
]; // prettier-ignore

/** Examines this machine's system. `hostMounts` are shown as well. */
export function readSystem(hostMounts: readonly string[]): System {
  const links: { path: string; to: string }[] = [];
  const binds: Bind[] = [];
  const files: OwnFile[] = [];
  const show = (path: string): void => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isSymbolicLink() === true) links.push({ path, to: readlinkSync(path) });
    else if (stats?.isDirectory() === true) binds.push({ source: path, target: path, readOnly: true });
  };
  for (const path of PROGRAMS) show(path);
  for (const name of SETTINGS_FOLDERS) show(`/etc/${name}`);
  for (const name of SETTINGS_FILES) {
    const path = `/etc/${name}`;
    const link = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true ? readlinkSync(path) : "";
    // The time zone's name is read from the link itself.
    if (link.startsWith("/usr/") || link.startsWith("../usr/")) links.push({ path, to: link });
    else if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) {
      files.push({ path, content: readFileSync(path), mode: 0o644 });
    }
  }
  for (const source of hostMounts) binds.push({ source, target: source, readOnly: true });
  return { binds, files, links };
}
