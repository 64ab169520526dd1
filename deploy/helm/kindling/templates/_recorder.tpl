{{/* Whether the recorder runs inside of the gateway's process. */}}
{{- define "kindling.recordsInGateway" -}}
{{- if and .Values.recorder.enabled .Values.recorder.inGateway -}}
{{- if not .Values.gateway.enabled }}{{ fail "recorder.inGateway: there is no gateway; set gateway.enabled, or leave this out" }}{{ end -}}
{{- if ne (int .Values.gateway.replicas) 1 }}{{ fail "recorder.inGateway: one process records at a time; set gateway.replicas to 1, or leave this out" }}{{ end -}}
true
{{- end -}}
{{- end }}

{{/* The component whose pod the recorder is in. */}}
{{- define "kindling.recorderComponent" -}}
{{- if include "kindling.recordsInGateway" . }}gateway{{ else }}recorder{{ end -}}
{{- end }}

{{/* Names of the recorder's ports in its pod. The gateway has ports of its own. */}}
{{- define "kindling.recorderPort" -}}
{{- if include "kindling.recordsInGateway" . }}recorder{{ else }}https{{ end -}}
{{- end }}
{{- define "kindling.recorderAdminPort" -}}
{{- if include "kindling.recordsInGateway" . }}recorder-admin{{ else }}admin{{ end -}}
{{- end }}

{{/* Where the recorder's certificate is in its pod. */}}
{{- define "kindling.recorderTls" -}}
/etc/kindling/{{ if include "kindling.recordsInGateway" . }}recorder-tls{{ else }}tls{{ end -}}
{{- end }}

{{/* Where the recorder's container has its files, besides settings and certificate. */}}
{{- define "kindling.recorderDataMounts" -}}
- {name: data, mountPath: /var/lib/kindling-recorder}
{{- if include "kindling.storeSecret" .Values.recorder.storage }}
- {name: store, mountPath: /etc/kindling/store, readOnly: true}
{{- end }}
{{- with .Values.recorder.volumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* The volumes of these. */}}
{{- define "kindling.recorderDataVolumes" -}}
{{- $values := .Values.recorder -}}
{{- if include "kindling.isShared" $values.storage -}}
- name: data
  emptyDir: {sizeLimit: {{ $values.spoolSizeLimit }}}
{{- else }}
{{- include "kindling.dataVolume" (dict "storage" $values.storage "claim" "kindling-recorder") }}
{{- end }}
{{- with include "kindling.storeSecret" $values.storage }}
- name: store
  secret: {secretName: {{ . }}, defaultMode: 0440}
{{- end }}
{{- with $values.volumes }}
{{ toYaml . }}
{{- end }}
{{- end }}
