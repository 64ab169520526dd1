import { KindlingError, type LocalFiles } from "@kindling/core-spec";
import { parse } from "yaml";

/** A disk with only these files, by absolute path. */
export function memoryFiles(contents: Readonly<Record<string, string>>): LocalFiles {
  const read = (path: string): string => {
    const text = contents[path];
    if (text === undefined) throw new KindlingError("FILE_UNREADABLE", `${path} cannot be read`);
    return text;
  };
  return {
    absolute: (path) => path,
    isFile: (path) => contents[path] !== undefined,
    size: (path) => new TextEncoder().encode(contents[path] ?? "").length,
    readBytes: (path) => new TextEncoder().encode(read(path)),
    readText: read,
    readYaml: (path) => parse(read(path)) as unknown,
    listFiles(path) {
      const inside = Object.keys(contents).filter(
        (file) => file.startsWith(`${path}/`) && !file.slice(path.length + 1).includes("/"),
      );
      return inside.length === 0
        ? undefined
        : inside.sort().map((file) => ({ name: file.slice(path.length + 1), path: file, size: read(file).length }));
    },
  };
}
