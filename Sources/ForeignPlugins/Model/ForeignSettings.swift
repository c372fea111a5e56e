/// The limits of external plugins.
enum ForeignSettings {
    /// The protocol's version; plugins of another version are rejected.
    static let protocolNumber = 1
    /// Default timeout of a call.
    static let callLimit = Duration.seconds(60)
    /// Longest timeout of a manifest, in seconds.
    static let longestCall = 3600.0
    /// Timeouts.
    @TaskLocal static var timeouts = ForeignTimeouts()
    /// Interval of checks for Ctrl-C while a plugin is silent, in milliseconds.
    static let pause: Int32 = 20
    /// Bytes of one message.
    static let longestLine = 64 << 20
    /// Bytes of all messages of one call.
    static let mostBytes = 256 << 20
    /// Notifications of one call.
    static let mostNotifications = 200_000
    /// Requests of a plugin to the host during one call.
    static let mostCallbacks = 10_000
    /// Private memory of a plugin, in bytes.
    static let memory: UInt64 = 1 << 30
    /// Files of a plugin, and their bytes, that are hashed to trust it.
    static let mostFiles = 10_000
    static let mostFileBytes = 256 << 20
    /// Most changed files named in an error.
    static let namedChanges = 3
    /// Bytes of a manifest.
    static let longestManifest = 64 << 10
    /// Bytes kept of a plugin's standard error.
    static let errorTail = 4096
    /// Reads of standard error between two checks of the limits.
    static let errorReads = 16
    /// Most characters shown of a plugin's message.
    static let longestMessage = 2000
    /// Deepest nesting of values.
    static let deepestValue = 64
    /// Commands that a plugin may declare.
    static let mostCommands = 200
    /// Characters of a summary.
    static let longestSummary = 80
}
