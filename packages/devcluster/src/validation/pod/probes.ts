import type { Container, Handler, Probe } from "../../../objects/pod.ts";
import { type FieldError, forbiddenField, invalidValue, notSupported, required } from "../field-error.ts";
import { portName, portNumber } from "../names.ts";

const HANDLERS = ["exec", "httpGet", "tcpSocket", "grpc", "sleep"] as const;
const NOT_NEGATIVE = "must be greater than or equal to 0";

/** What is wrong with a container's probes and hooks. */
export function validateProbes(container: Container, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const { lifecycle, livenessProbe, readinessProbe, startupProbe } = container;
  for (const hook of ["postStart", "preStop"] as const) {
    const handler = lifecycle?.[hook];
    if (handler !== undefined) errors.push(...validateHandler(handler, `${path}.lifecycle.${hook}`));
  }
  if (livenessProbe !== undefined) errors.push(...validateProbe(livenessProbe, `${path}.livenessProbe`, true));
  if (readinessProbe !== undefined) errors.push(...validateProbe(readinessProbe, `${path}.readinessProbe`, false));
  if (startupProbe !== undefined) errors.push(...validateProbe(startupProbe, `${path}.startupProbe`, true));
  return errors;
}

function validateProbe(probe: Probe, path: string, oneSuccess: boolean): FieldError[] {
  const errors = validateHandler(probe, path);
  for (const field of [
    "initialDelaySeconds",
    "timeoutSeconds",
    "periodSeconds",
    "successThreshold",
    "failureThreshold",
  ] as const) {
    const value = probe[field] ?? 0;
    if (value < 0) errors.push(invalidValue(`${path}.${field}`, value, NOT_NEGATIVE));
  }
  if (oneSuccess && probe.successThreshold !== 1) {
    errors.push(invalidValue(`${path}.successThreshold`, probe.successThreshold, "must be 1"));
  }
  if (!oneSuccess && probe.terminationGracePeriodSeconds !== undefined) {
    const why = "must not be set for readinessProbes";
    errors.push(invalidValue(`${path}.terminationGracePeriodSeconds`, probe.terminationGracePeriodSeconds, why));
  }
  return errors;
}

function validateHandler(handler: Handler, path: string): FieldError[] {
  const given = HANDLERS.filter((kind) => handler[kind] !== undefined);
  const [first, ...others] = given;
  if (first === undefined) return [required(path, "must specify a handler type")];
  return [
    ...validateAction(handler, `${path}.${first}`),
    ...others.map((kind) => forbiddenField(`${path}.${kind}`, "may not specify more than 1 handler type")),
  ];
}

function validateAction({ exec, httpGet, tcpSocket }: Handler, path: string): FieldError[] {
  if (exec !== undefined) return (exec.command ?? []).length === 0 ? [required(`${path}.command`)] : [];
  if (httpGet !== undefined) {
    const errors = (httpGet.path ?? "") === "" ? [required(`${path}.path`)] : [];
    errors.push(...validatePort(httpGet.port, `${path}.port`));
    if (httpGet.scheme !== "HTTP" && httpGet.scheme !== "HTTPS") {
      errors.push(notSupported(`${path}.scheme`, httpGet.scheme, ["HTTP", "HTTPS"]));
    }
    return errors;
  }
  return tcpSocket === undefined ? [] : validatePort(tcpSocket.port, `${path}.port`);
}

/** What is wrong with a port given by number or by name. */
export function validatePort(port: number | string, path: string): FieldError[] {
  const problems = typeof port === "number" ? portNumber(port) : portName(port);
  return problems.map((why) => invalidValue(path, port, why));
}
