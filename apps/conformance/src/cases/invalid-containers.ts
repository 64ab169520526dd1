import type { InvalidPod } from "./invalid-pod.ts";

/** Invalid container specs. */
export const invalidContainers: Readonly<Record<string, InvalidPod>> = {
  "no container": {
    spec: { containers: [] },
    causes: ["FieldValueRequired spec.containers: Required value"],
  },
  "a container's name that is no label": {
    spec: { containers: [{ name: "A", image: "b" }] },
    causes: [
      "FieldValueInvalid spec.containers[0].name: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    ],
  },
  "an image that is empty": {
    spec: { containers: [{ name: "a", image: "" }] },
    causes: ["FieldValueRequired spec.containers[0].image: Required value"],
  },
  "two containers of one name": {
    spec: {
      containers: [
        { name: "a", image: "b" },
        { name: "a", image: "c" },
      ],
    },
    causes: ['FieldValueDuplicate spec.containers[1].name: Duplicate value: "a"'],
  },
  "an init container with the name of another": {
    spec: { initContainers: [{ name: "a", image: "b" }], containers: [{ name: "a", image: "b" }] },
    causes: ['FieldValueDuplicate spec.initContainers[0].name: Duplicate value: "a"'],
  },
  "a variable without a name": {
    spec: { containers: [{ name: "a", image: "b", env: [{ name: "", value: "x" }] }] },
    causes: ["FieldValueRequired spec.containers[0].env[0].name: Required value"],
  },
  "a variable's name with an equals sign": {
    spec: { containers: [{ name: "a", image: "b", env: [{ name: "a=b" }] }] },
    causes: [
      "FieldValueInvalid spec.containers[0].env[0].name: Invalid value: \"a=b\": a valid environment variable name must consist only of printable ASCII characters other than '='",
    ],
  },
  "a variable with a value and a source": {
    spec: {
      containers: [
        {
          name: "a",
          image: "b",
          env: [{ name: "A", value: "x", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }],
        },
      ],
    },
    causes: [
      'FieldValueInvalid spec.containers[0].env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty',
    ],
  },
  "a variable from no source": {
    spec: { containers: [{ name: "a", image: "b", env: [{ name: "A", valueFrom: {} }] }] },
    causes: [
      'FieldValueInvalid spec.containers[0].env[0].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`',
    ],
  },
  "a variable from a key without a name": {
    spec: {
      containers: [
        { name: "a", image: "b", env: [{ name: "A", valueFrom: { configMapKeyRef: { name: "", key: "" } } }] },
      ],
    },
    causes: [
      "FieldValueInvalid spec.containers[0].env[0].valueFrom.configMapKeyRef.name: Invalid value: \"\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      "FieldValueRequired spec.containers[0].env[0].valueFrom.configMapKeyRef.key: Required value",
    ],
  },
  "a port of zero": {
    spec: { containers: [{ name: "a", image: "b", ports: [{ containerPort: 0 }] }] },
    causes: ["FieldValueRequired spec.containers[0].ports[0].containerPort: Required value"],
  },
  "a port that is too high": {
    spec: { containers: [{ name: "a", image: "b", ports: [{ containerPort: 70000 }] }] },
    causes: [
      "FieldValueInvalid spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive",
    ],
  },
  "a port's name that is too long": {
    spec: { containers: [{ name: "a", image: "b", ports: [{ containerPort: 80, name: "toolongnameforaport" }] }] },
    causes: [
      'FieldValueInvalid spec.containers[0].ports[0].name: Invalid value: "toolongnameforaport": must be no more than 15 characters',
    ],
  },
  "two ports of one name": {
    spec: {
      containers: [
        {
          name: "a",
          image: "b",
          ports: [
            { containerPort: 80, name: "a" },
            { containerPort: 81, name: "a" },
          ],
        },
      ],
    },
    causes: ['FieldValueDuplicate spec.containers[0].ports[1].name: Duplicate value: "a"'],
  },
  "an unknown protocol": {
    spec: { containers: [{ name: "a", image: "b", ports: [{ containerPort: 80, protocol: "X" }] }] },
    causes: [
      'FieldValueNotSupported spec.containers[0].ports[0].protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP"',
    ],
  },
};
