import PluginKit

extension Session {
    /// What the prompt names because it is not the usual: the device in use, and the store in use where it is not the
    /// workspace's own. `nil` where everything is the session's own.
    public var promptContext: String? {
        var facts: [String] = []
        if let device = workspace.name { facts.append(device) }
        if let store = stores.current {
            facts.append(store.name + (store.isWritable ? "" : ", read-only"))
        }
        return facts.isEmpty ? nil : TerminalText.withoutControls(facts.joined(separator: "; "))
    }
}
