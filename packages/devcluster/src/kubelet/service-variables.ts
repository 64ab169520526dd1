import type { Service } from "../objects/core.ts";
import type { Variable } from "../objects/variable.ts";

/** The variables with which containers find services, in the old form of Docker links. */
export function serviceVariables(services: readonly Service[]): Variable[] {
  return services.flatMap(({ metadata, spec }) => {
    const address = spec.clusterIP ?? "";
    const [first] = spec.ports ?? [];
    if (address === "" || address === "None" || first === undefined) return [];
    const name = metadata.name.toUpperCase().replaceAll("-", "_");
    const named = (spec.ports ?? []).filter((port) => (port.name ?? "") !== "");
    return [
      { name: `${name}_SERVICE_HOST`, value: address },
      { name: `${name}_SERVICE_PORT`, value: String(first.port) },
      ...named.map((port) => ({
        name: `${name}_SERVICE_PORT_${(port.name ?? "").toUpperCase().replaceAll("-", "_")}`,
        value: String(port.port),
      })),
      { name: `${name}_PORT`, value: `${(first.protocol ?? "TCP").toLowerCase()}://${address}:${first.port}` },
      ...(spec.ports ?? []).flatMap((port) => linkVariables(name, address, port.port, port.protocol ?? "TCP")),
    ];
  });
}

function linkVariables(service: string, address: string, port: number, protocol: string): Variable[] {
  const prefix = `${service}_PORT_${port}_${protocol}`;
  return [
    { name: prefix, value: `${protocol.toLowerCase()}://${address}:${port}` },
    { name: `${prefix}_PROTO`, value: protocol.toLowerCase() },
    { name: `${prefix}_PORT`, value: String(port) },
    { name: `${prefix}_ADDR`, value: address },
  ];
}
