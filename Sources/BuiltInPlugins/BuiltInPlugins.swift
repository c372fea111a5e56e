import Foundation
import PackagePlugin

/// Writes the list of plugins that the program is compiled with: one for each module that it depends on whose name ends
/// in `Plugin`, in their order in Package.swift, and the one that runs external plugins.
@main
struct BuiltInPlugins: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) -> [Command] {
        let modules = target.dependencies.compactMap { dependency -> String? in
            guard case .target(let module) = dependency else { return nil }
            let isPlugin = module.name.hasSuffix("Plugin") && module.name != "Plugin"
            return isPlugin || module.name == "ForeignPlugins" ? module.name : nil
        }
        let output = context.pluginWorkDirectoryURL.appending(path: "BuiltInPlugins.swift")
        return [
            .buildCommand(
                displayName: "Listing the plugins that are built in",
                executable: URL(filePath: "/bin/sh"),
                arguments: ["-c", #"printf '%s\n' "$@" > "$0""#, output.path()] + source(of: modules),
                outputFiles: [output])
        ]
    }

    private func source(of modules: [String]) -> [String] {
        ["import PluginKit"] + modules.map { "import \($0)" }
            + ["", "let builtInPlugins: @Sendable () -> [any Plugin] = {", "    ["]
            + modules.map { "        \($0)()," } + ["    ]", "}"]
    }
}
