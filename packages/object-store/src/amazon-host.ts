/** The address of one of Amazon's services in a region. */
export function amazonHost(service: "s3" | "sts", region: string): string {
  return `${service}.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
}
