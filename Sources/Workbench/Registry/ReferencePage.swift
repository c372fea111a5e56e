import PluginKit

/// The command reference as Markdown, made from the declarations.
public enum ReferencePage {
    /// A page of all commands, grouped by where they come from.
    public static func markdown(of registry: CommandRegistry) -> String {
        var parts = [
            "# Command reference\n\nMade by `rutter reference` from the commands' own declarations.",
            contents(registry),
        ]
        var origins: [String] = []
        for entry in registry.entries where !origins.contains(entry.origin) { origins.append(entry.origin) }
        for origin in origins.sorted(by: hostFirst) {
            parts.append("## \(origin)")
            for entry in registry.entries where entry.origin == origin {
                parts.append(section(entry.command.spec))
            }
        }
        return parts.joined(separator: "\n\n")
    }

    /// A table of all commands, each linked to its section.
    private static func contents(_ registry: CommandRegistry) -> String {
        let rows = registry.entries.map { entry in
            let spec = entry.command.spec
            return "| [\(spec.name)](#\(spec.name.replacing(" ", with: "-"))) | \(spec.summary.escapedForTable) | \(entry.origin) |"
        }
        return (["| command | summary | plugin |", "|---|---|---|"] + rows).joined(separator: "\n")
    }

    private static func hostFirst(_ left: String, _ right: String) -> Bool {
        left == "host" ? right != "host" : (right != "host" && left < right)
    }

    private static func section(_ spec: CommandSpec) -> String {
        var parts = [
            "### \(spec.name)",
            "\(spec.summary.capitalizedFirst). Takes \(spec.input.description); gives \(spec.output.description).",
            "    \(Usage.line(of: spec))",
        ]
        if !spec.parameters.isEmpty {
            let rows = spec.parameters.map { parameter in
                "| `\(Usage.form(parameter).escapedForTable)` | \(parameter.help.escapedForTable) | \(parameter.defaultText.map { "`\($0)`" } ?? "") |"
            }
            parts.append(
                (["| parameter | what it is | default |", "|---|---|---|"] + rows).joined(separator: "\n"))
        }
        if !spec.details.isEmpty { parts.append(spec.details) }
        let examples = spec.examples.flatMap { example in
            ["# \(example.title)"] + example.setup + [example.line]
        }
        parts.append("```\n" + examples.joined(separator: "\n") + "\n```")
        return parts.joined(separator: "\n\n")
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
    fileprivate var escapedForTable: String { replacing("|", with: "\\|") }
}
