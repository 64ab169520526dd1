{{/* For Helm, a YAML number is a floating-point number, and would be written as 1e+06. */}}
{{- define "kindling.settingText" -}}
{{- if kindIs "slice" . -}}
{{- join "," . -}}
{{- else if and (kindIs "float64" .) (eq (floor .) .) -}}
{{- int64 . -}}
{{- else -}}
{{- . -}}
{{- end -}}
{{- end }}

{{/* A map as a Java properties file, sorted by key. */}}
{{- define "kindling.properties" -}}
{{- range $key, $value := . }}
{{ $key }}={{ include "kindling.settingText" $value | replace "\\" "\\\\" | replace "\n" "\\n" }}
{{- end }}
{{- end }}

{{/* Adds entries to a map, and replaces existing ones. `merge` would treat false and 0 as missing. */}}
{{- define "kindling.overlay" -}}
{{- range $key, $value := .from }}{{ $_ := set $.onto $key $value }}{{ end -}}
{{- end }}

{{/* Where a service keeps its files: adds the settings of its store to a map. */}}
{{- define "kindling.storeSettings" -}}
{{- $storage := .storage -}}
{{- if eq $storage.kind "s3" -}}
{{- $s3 := $storage.s3 -}}
{{- $_ := set $.onto "store.kind" "s3" -}}
{{- $_ := set $.onto "store.s3.bucket" $s3.bucket -}}
{{- $_ := set $.onto "store.s3.region" $s3.region -}}
{{- $_ := set $.onto "store.s3.pathStyle" $s3.pathStyle -}}
{{- with $s3.endpoint }}{{ $_ := set $.onto "store.s3.endpoint" . }}{{ end -}}
{{- with $s3.prefix }}{{ $_ := set $.onto "store.s3.prefix" . }}{{ end -}}
{{- if $s3.credentialsSecret }}{{ $_ := set $.onto "store.s3.credentialsFile" "/etc/kindling/store/credentials" }}{{ end -}}
{{- else if has $storage.kind (list "gcs" "adls") -}}
{{- $kind := $storage.kind -}}
{{- $store := index $storage $kind -}}
{{- $_ := set $.onto "store.kind" $kind -}}
{{- $_ := set $.onto (printf "store.%s.uri" $kind) $store.uri -}}
{{- with $store.endpoint }}{{ $_ := set $.onto (printf "store.%s.endpoint" $kind) . }}{{ end -}}
{{- if $store.credentialsSecret }}{{ $_ := set $.onto (printf "store.%s.credentialsFile" $kind) "/etc/kindling/store/credentials" }}{{ end -}}
{{- else if eq $storage.kind "webhdfs" -}}
{{- $hdfs := $storage.webhdfs -}}
{{- $_ := set $.onto "store.kind" "webhdfs" -}}
{{- $_ := set $.onto "store.webhdfs.endpoints" $hdfs.endpoints -}}
{{- $_ := set $.onto "store.webhdfs.path" $hdfs.path -}}
{{- with $hdfs.user }}{{ $_ := set $.onto "store.webhdfs.user" . }}{{ end -}}
{{- if $hdfs.tokenSecret }}{{ $_ := set $.onto "store.webhdfs.tokenFile" "/etc/kindling/store/token" }}{{ end -}}
{{- if $hdfs.basicAuthSecret }}{{ $_ := set $.onto "store.webhdfs.basicAuthFile" "/etc/kindling/store/credentials" }}{{ end -}}
{{- else -}}
{{- $_ := set $.onto "store.kind" "local-disk" -}}
{{- $_ := set $.onto "store.path" $.path -}}
{{- end -}}
{{- end }}

{{- define "kindling.stagingSettings" -}}
{{- $settings := dict
      "listen.port" 10000
      "admin.port" 10001
      "auth.mode" "kubernetes"
      "tls.certFile" "/etc/kindling/tls/tls.crt"
      "tls.keyFile" "/etc/kindling/tls/tls.key" -}}
{{- include "kindling.storeSettings" (dict "onto" $settings "storage" .Values.staging.storage "path" "/var/lib/kindling-staging") -}}
{{- include "kindling.overlay" (dict "onto" $settings "from" .Values.staging.settings) -}}
{{- include "kindling.properties" $settings | trim -}}
{{- end }}

{{- define "kindling.gatewaySettings" -}}
{{- $settings := dict
      "listen.port" 8443
      "admin.port" 8081
      "cluster.namespaces" (include "kindling.namespaces" . | splitList " ")
      "leader.election" true
      "tls.certFile" "/etc/kindling/tls/tls.crt"
      "tls.keyFile" "/etc/kindling/tls/tls.key"
      "tls.caFile" "/etc/kindling/tls/ca.crt" -}}
{{- $_ := set $settings "admin.hosts" (list (printf "*.svc.%s" .Values.clusterDomain)) -}}
{{- if include "kindling.writesQueues" . }}{{ $_ := set $settings "queues.file" "/etc/kindling/queues/queues.yaml" }}{{ end -}}
{{- if include "kindling.hasQueues" . }}{{ $_ := set $settings "queues.keptIn" "kindling-gateway-last-queues" }}{{ end -}}
{{- if include "kindling.renewsTokens" . -}}
{{- $_ := set $settings "kerberos.principal" .Values.gateway.kerberos.principal -}}
{{- $_ := set $settings "kerberos.keytab" "/etc/kindling/keytab/keytab" -}}
{{- $_ := set $settings "kerberos.krb5Conf" "/etc/kindling/krb5/krb5.conf" -}}
{{- $_ := set $settings "kerberos.hadoopConf" "/etc/kindling/hadoop" -}}
{{- end -}}
{{- if .Values.recorder.enabled -}}
{{- $_ := set $settings "recorder.uri" (printf "https://kindling-recorder.%s.svc:8080" .Release.Namespace) -}}
{{- $_ := set $settings "recorder.tokenFile" "/etc/kindling/recorder/token" -}}
{{- $_ := set $settings "recorder.caFile" "/etc/kindling/recorder/ca.crt" -}}
{{- if include "kindling.recordsInGateway" . }}{{ $_ := set $settings "recorder.settingsFile" "/etc/kindling/recorder-settings/recorder.properties" }}{{ end -}}
{{- end -}}
{{- with .Values.gateway.page }}
{{- if .url }}
{{- $_ := set $settings "page.port" 8090 -}}
{{- $_ := set $settings "page.url" .url -}}
{{- if .clientSecret }}{{ $_ := set $settings "page.clientSecretFile" "/etc/kindling/page/client-secret" }}{{ end -}}
{{- end -}}
{{- end -}}
{{- include "kindling.overlay" (dict "onto" $settings "from" .Values.gateway.settings) -}}
{{- include "kindling.properties" $settings | trim -}}
{{- end }}

{{- define "kindling.submissionSettings" -}}
{{- $settings := dict
      "listen.host" "0.0.0.0"
      "listen.port" 8080
      "admin.host" "0.0.0.0"
      "admin.port" 8081
      "auth.modes" "kubernetes"
      "cluster.namespaces" (include "kindling.namespaces" . | splitList " ")
      "submit.defaultsFile" "/etc/kindling/settings/defaults.properties"
      "tls.certFile" "/etc/kindling/tls/tls.crt"
      "tls.keyFile" "/etc/kindling/tls/tls.key" -}}
{{- include "kindling.overlay" (dict "onto" $settings "from" .Values.submission.settings) -}}
{{- include "kindling.properties" $settings | trim -}}
{{- end }}

{{- define "kindling.connectSettings" -}}
{{- $settings := dict
      "service.name" .Release.Namespace
      "listen.host" "0.0.0.0"
      "listen.port" 15002
      "admin.host" "0.0.0.0"
      "admin.port" 8081
      "auth.modes" "kubernetes"
      "cluster.namespaces" (include "kindling.namespaces" . | splitList " ")
      "profiles.file" "/etc/kindling/profiles/profiles.yaml"
      "drivers.defaultsFile" "/etc/kindling/settings/defaults.properties"
      "drivers.keyFile" "/etc/kindling/drivers/key"
      "tls.certFile" "/etc/kindling/tls/tls.crt"
      "tls.keyFile" "/etc/kindling/tls/tls.key" -}}
{{- include "kindling.overlay" (dict "onto" $settings "from" .Values.connect.settings) -}}
{{- include "kindling.properties" $settings | trim -}}
{{- end }}

{{- define "kindling.recorderSettings" -}}
{{- $settings := dict
      "listen.host" "0.0.0.0"
      "listen.port" 8080
      "admin.host" "0.0.0.0"
      "admin.port" (ternary 8082 8081 (eq "true" (include "kindling.recordsInGateway" .)))
      "auth.mode" "kubernetes"
      "cluster.namespaces" (include "kindling.namespaces" . | splitList " ")
      "leader.election" true
      "spool.path" "/var/lib/kindling-recorder/spool"
      "spool.handOver" (eq "true" (include "kindling.isShared" .Values.recorder.storage))
      "tls.certFile" (printf "%s/tls.crt" (include "kindling.recorderTls" .))
      "tls.keyFile" (printf "%s/tls.key" (include "kindling.recorderTls" .)) -}}
{{- /* A pod whose files take more than their limit is evicted, and they are gone with it. */}}
{{- if include "kindling.isShared" .Values.recorder.storage -}}
{{- with include "kindling.mebibytes" .Values.recorder.spoolSizeLimit -}}
{{- $_ := set $settings "spool.size" (printf "%dm" (mulf (float64 .) 0.8 | floor | int64 | max 64)) -}}
{{- end -}}
{{- end -}}
{{- include "kindling.storeSettings" (dict "onto" $settings "storage" .Values.recorder.storage "path" "/var/lib/kindling-recorder/archive") -}}
{{- include "kindling.overlay" (dict "onto" $settings "from" .Values.recorder.settings) -}}
{{- include "kindling.properties" $settings | trim -}}
{{- end }}

{{/*
The default configuration of the service's submissions: that of all submissions in this installation, without the
staging server, because the service has no files of its own.
*/}}
{{- define "kindling.submissionDefaults" -}}
{{- $properties := dict -}}
{{- include "kindling.localizerProperties" (dict "context" . "onto" $properties) -}}
{{- include "kindling.gatewayProperties" (dict "context" . "onto" $properties) -}}
{{- include "kindling.eventLogProperties" (dict "context" . "onto" $properties) -}}
{{- include "kindling.overlay" (dict "onto" $properties "from" .Values.properties) -}}
{{- include "kindling.overlay" (dict "onto" $properties "from" .Values.submission.defaults) -}}
{{- include "kindling.properties" $properties | trim -}}
{{- end }}

{{/* The configuration of this installation for submissions. */}}
{{- define "kindling.submissionProperties" -}}
{{- $properties := dict -}}
{{- include "kindling.localizerProperties" (dict "context" . "onto" $properties) -}}
{{- include "kindling.stagingProperties" (dict "context" . "onto" $properties) -}}
{{- include "kindling.gatewayProperties" (dict "context" . "onto" $properties) -}}
{{- include "kindling.recorderProperties" (dict "context" . "onto" $properties) -}}
{{- include "kindling.connectProperties" (dict "context" . "onto" $properties) -}}
{{- include "kindling.eventLogProperties" (dict "context" . "onto" $properties) -}}
{{- include "kindling.overlay" (dict "onto" $properties "from" .Values.properties) -}}
{{- include "kindling.properties" $properties | trim -}}
{{- end }}

{{/* Where event logs go. */}}
{{- define "kindling.eventLogProperties" -}}
{{- $recorder := .context.Values.recorder -}}
{{- if and $recorder.enabled $recorder.eventLogs -}}
{{- $_ := set .onto "spark.kindling.eventLog" "record" -}}
{{- $_ := set .onto "spark.kindling.eventLog.uri" (printf "https://kindling-recorder.%s.svc:8080" .context.Release.Namespace) -}}
{{- with index $recorder.settings "auth.audiences" -}}
{{- $_ := set $.onto "spark.kindling.eventLog.audience" (include "kindling.settingText" . | splitList "," | first) -}}
{{- end -}}
{{- end -}}
{{- end }}

{{/* The audience of tokens for the recorder. */}}
{{- define "kindling.recorderAudience" -}}
{{- with index .Values.recorder.settings "auth.audiences" -}}
{{ include "kindling.settingText" . | splitList "," | first }}
{{- else -}}
kindling-recorder
{{- end -}}
{{- end }}

{{- define "kindling.recorderProperties" -}}
{{- if .context.Values.recorder.enabled -}}
{{- $_ := set .onto "spark.kindling.recorder.uri" (printf "k8s+https://%s/kindling-recorder:8080" .context.Release.Namespace) -}}
{{- with index .context.Values.recorder.settings "auth.audiences" -}}
{{- $_ := set $.onto "spark.kindling.recorder.audience" (include "kindling.settingText" . | splitList "," | first) -}}
{{- end -}}
{{- end -}}
{{- end }}

{{- define "kindling.localizerProperties" -}}
{{- $_ := set .onto "spark.kindling.localizer.image" (include "kindling.image" (dict "context" .context "component" "localizer")) -}}
{{- $_ := set .onto "spark.kindling.localizer.imagePullPolicy" .context.Values.images.pullPolicy -}}
{{- end }}

{{- define "kindling.stagingProperties" -}}
{{- if .context.Values.staging.enabled -}}
{{- $namespace := .context.Release.Namespace -}}
{{- $_ := set .onto "spark.kindling.staging.uri" (printf "k8s+https://%s/kindling-staging:10000" $namespace) -}}
{{- $_ := set .onto "spark.kindling.staging.internalUri" (printf "https://kindling-staging.%s.svc:10000" $namespace) -}}
{{- with index .context.Values.staging.settings "auth.audiences" -}}
{{- $_ := set $.onto "spark.kindling.staging.audience" (include "kindling.settingText" . | splitList "," | first) -}}
{{- end -}}
{{- end -}}
{{- end }}

{{/* Whether the gateway renews delegation tokens. Then it needs all of the values. */}}
{{- define "kindling.renewsTokens" -}}
{{- $kerberos := .Values.gateway.kerberos -}}
{{- if $kerberos.principal -}}
{{- range $name := list "keytabSecret" "krb5ConfigMap" "hadoopConfigMap" -}}
{{- if not (index $kerberos $name) }}{{ fail (printf "gateway.kerberos.%s must be set, because gateway.kerberos.principal is" $name) }}{{ end -}}
{{- end -}}
true
{{- end -}}
{{- end }}

{{- define "kindling.gatewayProperties" -}}
{{- if .context.Values.gateway.enabled -}}
{{- $_ := set .onto "spark.kindling.scheduler" "gateway" -}}
{{- $_ := set .onto "spark.kindling.scheduler.uri" (printf "https://kindling-gateway.%s.svc:8443" .context.Release.Namespace) -}}
{{- with index .context.Values.gateway.settings "auth.audiences" -}}
{{- $_ := set $.onto "spark.kindling.scheduler.audience" (include "kindling.settingText" . | splitList "," | first) -}}
{{- end -}}
{{- with .context.Values.gateway.kerberos.principal -}}
{{- /* Its short name, where no rule of hadoop.security.auth_to_local makes another one. */}}
{{- $_ := set $.onto "spark.kindling.kerberos.renewer" (regexReplaceAll "[/@].*" . "") -}}
{{- end -}}
{{- end -}}
{{- end }}
