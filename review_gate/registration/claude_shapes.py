"""The settings for whose wrong values Claude Code ignores a whole file; hooks may ask it, so it stays free of imports.

Only what was seen in 2.1.325 stands here: of other settings it ignores the wrong value alone, and keeps the file.
"""

from review_gate.registration.shapes import (
    ANY_LIST,
    FILLED,
    FLAG,
    MOST,
    NUMBER,
    TEXT,
    TEXTS,
    Shape,
    any_of,
    kinds_by,
    list_of,
    map_of,
    named,
    number,
    one_of,
    or_null,
    record,
    whole,
)

FLAGS = named(
    """
    agentPushNotifEnabled allowAllClaudeAiMcps allowClaudeInChromeWithManagedMcp alwaysThinkingEnabled
    autoCompactEnabled autoDreamEnabled autoMemoryEnabled autoScrollEnabled awaySummaryEnabled axScreenReader
    bashEditDiffEnabled clawdFileProgressEnabled disableAllHooks disableReplyCheck doneMeansMerged
    emojiCompletionEnabled fastMode fileCheckpointingEnabled forceRemoteSettingsRefresh idleCompaction
    includeCoAuthoredBy includeGitInstructions inputNeededNotifEnabled precomputeCompactionEnabled
    prefersReducedMotion promptSuggestionEnabled respectGitignore respondToBashCommands showClearContextOnPlanAccept
    showMessageTimestamps showThinkingSummaries showTurnDuration spinnerTipsEnabled switchModelsOnFlag
    syntaxHighlightingDisabled terminalProgressBarEnabled terminalTitleFromRename todoFeatureEnabled
    totalTokensReminderAfterUserTurn verbose voiceEnabled wheelScrollAccelerationEnabled workflowKeywordTriggerEnabled
    wslInheritsWindowsSettings
    """
)
FLAGS_OR_NULL = named(
    """
    allowManagedHooksOnly allowManagedMcpServersOnly allowManagedPermissionRulesOnly autoContinueAtUsageLimit
    autoUploadSessions channelsEnabled disableAgentView disableArtifact disableBundledSkills disableClaudeAiConnectors
    disableCommandPluginSources disableRemoteControl disableSideloadFlags disableSkillShellExecution
    disableWindowsBashCommandSplit disableWorkflows enableAllProjectMcpServers enableArtifact enableWorkflows
    enforceAvailableModels fastModePerSessionOptIn isolatePeerMachines remoteControlAtStartup
    responseComparisonEnabled skipAutoPermissionPrompt skipDangerousModePermissionPrompt skipWebFetchPreflight
    skipWorkflowUsageWarning syncClaudeAiPlugins syncClaudeAiSkills useAutoModeDuringPlan
    """
)
TEXT_KEYS = named(
    """
    $schema advisorModel agent apiKeyHelper attributionProject autoMemoryDirectory awsAuthRefresh awsCredentialExport
    claudeMd gcpAuthRefresh language minimumVersion model otelHeadersHelper outputStyle plansDirectory
    pluginTrustMessage prUrlTemplate processWrapper proxyAuthHelper requiredMaximumVersion requiredMinimumVersion
    timeFormat timeZone
    """
)
LIST_KEYS = named(
    """
    allowedHttpHookUrls availableModels claudeMdExcludes companyAnnouncements fallbackModel httpHookAllowedEnvVars
    pluginSuggestionMarketplaces
    """
)
COMMAND = record("type", "command", type=one_of("command"), command=TEXT)
PART = number("a number above 0 and up to 1", lambda value: 0 < value <= 1)
SHARE = number("a number from 0 to 1", lambda value: 0 <= value <= 1)
MINUTES = whole(1)


def _is_time(value: object) -> bool:
    hours, colon, minutes = value.partition(":") if isinstance(value, str) else ("", "", "")
    is_written = bool(colon) and len(hours) in (1, 2) and len(minutes) == 2 and (hours + minutes).isdecimal()
    return is_written and (hours + minutes).isascii() and int(hours) < 24 and int(minutes) < 60


TIME = Shape('a time like "22:00"', _is_time)


def _is_server_name(value: object) -> bool:
    return isinstance(value, str) and value.isascii() and value.replace("-", "a").replace("_", "a").isalnum()


# The name of one server stands for a list of it.
SERVERS = any_of("a list of texts", TEXTS, Shape("", _is_server_name))
OPTION = any_of("a text, a number, true, false or a list of texts", TEXT, NUMBER, FLAG, TEXTS)
SOURCES = {
    "url": record("url", url=TEXT),
    "github": record("repo", repo=TEXT),
    "git": record("url", url=TEXT),
    "npm": record("package", package=TEXT),
    "file": record("path", path=TEXT),
    "directory": record("path", path=TEXT),
    "skills-dir": record(),
    "hostPattern": record("hostPattern", hostPattern=TEXT),
    "pathPattern": record("pathPattern", pathPattern=TEXT),
    "settings": record("name", "plugins", name=TEXT, plugins=ANY_LIST),
}
ALLOWED = or_null(list_of(kinds_by("source", **SOURCES)))
# Of a marketplace that is not understood only the entry is ignored, but for a kind of source that is not known.
KNOWN_SOURCE = Shape(
    f"one of {', '.join(SOURCES)}", lambda value: not isinstance(value, str) or value in SOURCES, is_word=True
)
LAX = {"source": Shape("", lambda _: True, members={"source": KNOWN_SOURCE})}
MARKETPLACES = Shape("", lambda _: True, each=Shape("", lambda _: True, members=LAX))

PERMISSIONS = record(
    allow=ANY_LIST,
    deny=ANY_LIST,
    ask=ANY_LIST,
    additionalDirectories=TEXTS,
    defaultMode=one_of("acceptEdits", "auto", "bypassPermissions", "default", "dontAsk", "plan", "manual"),
    disableBypassPermissionsMode=one_of("disable"),
    disableAutoMode=one_of("disable"),
    blockReadsOutsideWorkingDirectories=FLAG,
    blockFileToolReadsOutsideWorkingDirectories=FLAG,
    blockWritesOutsideWorkingDirectories=FLAG,
    denyInsteadOfPrompting=FLAG,
)
CREDENTIAL_MODE = one_of("deny", "mask")
HANDLING = one_of("deny", "passthrough")
SANDBOX = record(
    enabled=FLAG,
    failIfUnavailable=FLAG,
    autoAllowBashIfSandboxed=FLAG,
    allowUnsandboxedCommands=FLAG,
    enableWeakerNestedSandbox=FLAG,
    allowNestedUserNamespaces=FLAG,
    enableWeakerNetworkIsolation=FLAG,
    allowAppleEvents=FLAG,
    excludedCommands=TEXTS,
    ignoreViolations=map_of(TEXTS),
    ripgrep=record("command", command=TEXT, args=TEXTS),
    network=record(
        allowedDomains=TEXTS,
        deniedDomains=TEXTS,
        allowUnixSockets=TEXTS,
        allowMachLookup=TEXTS,
        strictAllowlist=FLAG,
        allowManagedDomainsOnly=FLAG,
        allowAllUnixSockets=FLAG,
        allowLocalBinding=FLAG,
        httpProxyPort=NUMBER,
        socksProxyPort=NUMBER,
        tlsTerminate=record(),
    ),
    filesystem=record(
        allowWrite=TEXTS,
        denyWrite=TEXTS,
        denyRead=TEXTS,
        allowRead=TEXTS,
        allowManagedReadPathsOnly=FLAG,
        disabled=FLAG,
    ),
    credentials=record(
        files=list_of(record("path", "mode", path=FILLED, mode=CREDENTIAL_MODE)),
        envVars=list_of(record("name", "mode", name=FILLED, mode=CREDENTIAL_MODE)),
        allowPlaintextInject=FLAG,
        awsPairs=list_of(
            record("accessKeyIdVar", "secretAccessKeyVar", accessKeyIdVar=FILLED, secretAccessKeyVar=FILLED)
        ),
        sigv4=record(streaming=HANDLING, presigned=HANDLING, sigv4a=HANDLING),
    ),
)
SETTINGS = record(
    **dict.fromkeys(FLAGS, FLAG),
    **dict.fromkeys(FLAGS_OR_NULL, or_null(FLAG)),
    **dict.fromkeys(TEXT_KEYS, TEXT),
    **dict.fromkeys(LIST_KEYS, TEXTS),
    allowedChannelPlugins=list_of(record("marketplace", "plugin", marketplace=TEXT, plugin=TEXT)),
    allowedMarketplaces=ALLOWED,
    attribution=any_of(
        "true, false, or an object with texts as commit and pr", FLAG, record(commit=TEXT, pr=TEXT, sessionUrl=FLAG)
    ),
    autoMode=record(allow=TEXTS, soft_deny=TEXTS, hard_deny=TEXTS, environment=TEXTS, classifyAllShell=FLAG),
    autoUpdatesChannel=one_of("latest", "stable", "rc"),
    blockedMarketplaces=or_null(list_of(kinds_by("source", pluginDirectory=record(), **SOURCES))),
    breakReminder=record(enabled=FLAG, intervalMinutes=MINUTES, breakThresholdMinutes=MINUTES, message=TEXT),
    cleanupPeriodDays=whole(1),
    daemonColdStart=one_of("transient", "ask"),
    defaultShell=one_of("bash", "powershell"),
    defaultView=one_of("chat", "transcript"),
    desktopSessionCleanupPeriodDays=whole(0),
    disableAutoMode=or_null(one_of("disable")),
    disableDeepLinkRegistration=or_null(one_of("disable")),
    disabledMcpjsonServers=SERVERS,
    enabledMcpjsonServers=SERVERS,
    enabledPlugins=map_of(any_of("true, false or a list of texts", FLAG, TEXTS)),
    env=record(),
    extraKnownMarketplaces=MARKETPLACES,
    additionalMarketplaces=MARKETPLACES,
    feedbackDrafts=or_null(one_of("notify", "quiet", "off")),
    feedbackSurveyRate=SHARE,
    fileSuggestion=COMMAND,
    forceLoginOrgUUID=any_of("a text or a list of texts", TEXT, TEXTS),
    managedSourcesBehavior=one_of("first-wins", "merge"),
    modelOverrides=map_of(TEXT),
    parentSettingsBehavior=one_of("first-wins", "merge"),
    permissions=PERMISSIONS,
    pluginConfigs=map_of(
        any_of(
            "an object whose mcpServers and options hold plain values",
            record(mcpServers=map_of(map_of(OPTION)), options=map_of(OPTION)),
        )
    ),
    quietHours=record(enabled=FLAG, start=TIME, end=TIME),
    remote=record(defaultEnvironmentId=TEXT),
    remoteTools=record(allowUnattendedServing=FLAG),
    sandbox=SANDBOX,
    skillListingBudgetFraction=PART,
    skillListingMaxDescChars=whole(1),
    skillOverrides=map_of(one_of("on", "name-only", "user-invocable-only", "off")),
    spinnerVerbs=record("mode", "verbs", mode=one_of("append", "replace"), verbs=TEXTS),
    sshConfigs=list_of(
        record(
            "id",
            "name",
            "sshHost",
            id=TEXT,
            name=TEXT,
            sshHost=TEXT,
            sshPort=whole(-MOST),
            sshIdentityFile=TEXT,
            startDirectory=TEXT,
        )
    ),
    statusLine=record(
        "type", "command", type=one_of("command"), command=TEXT, padding=NUMBER, hideVimModeIndicator=FLAG
    ),
    strictKnownMarketplaces=ALLOWED,
    totalTokensReminder=one_of("off", "infinite", "fixed", "countdown", "padded-countdown"),
    totalTokensReminderBudget=whole(1),
    tui=one_of("default", "fullscreen"),
    voice=record(enabled=FLAG, mode=one_of("hold", "tap"), autoSubmit=FLAG),
    workflowSizeGuideline=one_of("unrestricted", "small", "medium", "large"),
    worktree=record(symlinkDirectories=TEXTS, sparsePaths=TEXTS, baseRef=one_of("fresh", "head")),
)
