{{/* Whether several pods can share this storage. */}}
{{- define "kindling.isShared" -}}
{{- if has .kind (list "s3" "gcs" "adls" "webhdfs") }}true{{ end -}}
{{- end }}

{{/* Fails if the values of a storage lack something. `at` is its path in the values. */}}
{{- define "kindling.checkStorage" -}}
{{- $storage := .storage -}}
{{- if and (eq $storage.kind "s3") (not $storage.s3.bucket) }}
{{- fail (printf "%s.s3.bucket: name the bucket that files are kept in; it has to exist" .at) }}
{{- end }}
{{- if and (eq $storage.kind "gcs") (not $storage.gcs.uri) }}
{{- fail (printf "%s.gcs.uri: name the bucket that files are kept in, such as gs://bucket/prefix; it has to exist" .at) }}
{{- end }}
{{- if and (eq $storage.kind "adls") (not $storage.adls.uri) }}
{{- fail (printf "%s.adls.uri: name the container that files are kept in, such as abfss://container@account.dfs.core.windows.net/path; it has to exist" .at) }}
{{- end }}
{{- if and (eq $storage.kind "webhdfs") (not $storage.webhdfs.endpoints) }}
{{- fail (printf "%s.webhdfs.endpoints: name at least one name node, such as http://namenode:9870" .at) }}
{{- end }}
{{- end }}

{{/* The Secret with the credentials for a storage; empty if there is none. */}}
{{- define "kindling.storeSecret" -}}
{{- if has .kind (list "s3" "gcs" "adls") }}{{ (index . .kind).credentialsSecret }}{{ end -}}
{{- if eq .kind "webhdfs" }}{{ .webhdfs.tokenSecret | default .webhdfs.basicAuthSecret }}{{ end -}}
{{- end }}

{{/* The volume `data` of a pod with this storage; empty if it is elsewhere. `claim` is the chart's own claim. */}}
{{- define "kindling.dataVolume" -}}
{{- if eq .storage.kind "volume" -}}
- name: data
  persistentVolumeClaim: {claimName: {{ .storage.volume.existingClaim | default .claim }}}
{{- else if eq .storage.kind "emptyDir" -}}
- name: data
  emptyDir: {{ with .storage.emptyDir.sizeLimit }}{sizeLimit: {{ . }}}{{ else }}{}{{ end }}
{{- end -}}
{{- end }}

{{/* The spec of the chart's own claim. */}}
{{- define "kindling.claimSpec" -}}
accessModes:
  {{- toYaml .accessModes | nindent 2 }}
{{- with .storageClass }}
storageClassName: {{ . }}
{{- end }}
resources:
  requests: {storage: {{ .size }}}
{{- end }}
