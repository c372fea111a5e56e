import PluginKit

extension Session {
    /// The state shown in the prompt if it is not the default: the active device, and the active store if it
    /// is not the workspace's own. `nil` for defaults.
    public var promptContext: String? {
        var facts: [String] = []
        if let device = workspace.name { facts.append(device) }
        if let store = stores.current {
            facts.append(store.name + (store.isWritable ? "" : ", read-only"))
        }
        return facts.isEmpty ? nil : TerminalText.withoutControls(facts.joined(separator: "; "))
    }
}
