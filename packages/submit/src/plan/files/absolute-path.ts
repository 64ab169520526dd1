/**
 * The absolute form of a path, as `path.resolve` of Node makes it on POSIX systems. An empty path stays empty: it names
 * nothing, like Java's `new File("")`, and does not mean the folder.
 */
export function absolutePath(folder: string, path: string): string {
  if (path === "") return "";
  const parts: string[] = [];
  for (const part of (path.startsWith("/") ? path : `${folder}/${path}`).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}
