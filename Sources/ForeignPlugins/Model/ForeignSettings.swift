/// The limits of plugins of others, and what is written into their folders.
enum ForeignSettings {
    /// The number of the protocol; a plugin of another number is refused.
    static let protocolNumber = 1
    /// How long a call may take unless the manifest says otherwise.
    static let callLimit = Duration.seconds(60)
    /// The longest time that a manifest may ask for, in seconds.
    static let longestCall = 3600.0
    /// How long plugins are waited for.
    @TaskLocal static var patience = ForeignPatience()
    /// How often Ctrl-C is looked for while a plugin is silent, in milliseconds.
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
    /// Files that an error names of those that changed.
    static let namedChanges = 3
    /// Bytes of a manifest.
    static let longestManifest = 64 << 10
    /// What is kept of what a plugin writes to its standard error, in bytes.
    static let errorTail = 4096
    /// How often standard error is read between two looks at the limits.
    static let errorReads = 16
    /// Characters of a message of a plugin that are shown.
    static let longestMessage = 2000
    /// Values in values.
    static let deepestValue = 64
    /// Commands that a plugin may declare.
    static let mostCommands = 200
    /// Characters of a summary.
    static let longestSummary = 80
}
