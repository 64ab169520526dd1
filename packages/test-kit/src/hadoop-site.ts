/** One of Hadoop's files, such as core-site.xml. */
export function hadoopSite(properties: Readonly<Record<string, string>>): string {
  const all = Object.entries(properties).map(
    ([name, value]) => `<property><name>${escaped(name)}</name><value>${escaped(value)}</value></property>`,
  );
  return `<configuration>${all.join("\n")}</configuration>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
