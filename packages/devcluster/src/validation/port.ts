import { type FieldError, invalidValue, portName, portNumber } from "@kindling/api-server";

/** What is wrong with a port given by number or by name. */
export function validatePort(port: number | string, path: string): FieldError[] {
  const problems = typeof port === "number" ? portNumber(port) : portName(port);
  return problems.map((why) => invalidValue(path, port, why));
}
