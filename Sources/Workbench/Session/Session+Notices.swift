import PluginKit

extension Session {
    /// Notifications from plugins since the last call.
    public func notices() async -> [String] {
        let context = context(tracing: nil)
        var lines: [String] = []
        for plugin in context.all((any NotificationSource).self) {
            lines += await plugin.notices(context: context)
        }
        return lines
    }
}
