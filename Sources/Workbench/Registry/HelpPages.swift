import PluginKit

/// Help as text, generated from the commands' declarations.
struct HelpPages {
    let registry: CommandRegistry
    let width: Int

    var overview: String {
        """
        Rutter is a workbench for wayfinding software: commands joined by `|` pass values to each other.

          help commands                 list all commands
          help COMMAND                  show a command's page; help WORDS searches
          help GROUP                    list the commands of a group
          explain CODE                  explain an error
          waypoint list | where category == shelter | count
          let r = 2km; $r / 3           variables and arithmetic with units
          quit                          leave the session (or Ctrl-D)

        Keys: Tab completes, Ctrl-R finds an earlier entry, Ctrl-X Ctrl-E opens $EDITOR.

        Groups:
        \(groups)
        """
    }

    private var groups: String {
        let widest = CommandGroup.allCases.map(\.rawValue.count).max() ?? 0
        return registry.groups.map { group, _ in
            "  " + DisplayWidth.padded(group.rawValue, to: widest, right: false) + "  " + group.title
        }
        .joined(separator: "\n")
    }

    func page(of spec: CommandSpec) -> String {
        var parts = ["\(spec.name): \(spec.summary)", "usage\n" + usage(of: spec)]
        if !spec.parameters.isEmpty {
            parts.append("parameters\n" + parameterLines(spec).joined(separator: "\n"))
        }
        parts.append(
            "input: \(spec.input.description); output: \(spec.output.description); \(effect(spec))")
        let others = Habits.names(of: spec.name)
        if !others.isEmpty { parts.append("other names: \(others.joined(separator: ", "))") }
        if !spec.details.isEmpty { parts.append(TextWrap.wrapped(spec.details, to: width)) }
        parts.append("examples\n" + exampleLines(spec).joined(separator: "\n"))
        return parts.joined(separator: "\n\n")
    }

    func list(_ entries: [CommandRegistry.Entry], title: String) -> String {
        list(entries.map { HelpEntry($0.command.spec) }, title: title)
    }

    func list(_ entries: [HelpEntry], title: String) -> String {
        let widest = entries.map(\.name.count).max() ?? 0
        let lines = entries.map { entry in
            hanging("  " + DisplayWidth.padded(entry.name, to: widest, right: false) + "  ", entry.summary)
        }
        return ([title] + lines).joined(separator: "\n")
    }

    /// Which commands of a group to use for what; `nil` where the summaries say it.
    func guide(of group: CommandGroup) -> String? {
        guard let guide = group.guide else { return nil }
        let widest = guide.map { DisplayWidth.of($0.use) }.max() ?? 0
        let lines = guide.map { line in
            hanging("  " + DisplayWidth.padded(line.use, to: widest, right: false) + "  ", line.purpose)
        }
        return (["which to use"] + lines).joined(separator: "\n")
    }

    private func parameterLines(_ spec: CommandSpec) -> [String] {
        let forms = spec.parameters.map { parameter in
            parameter.style == .positional
                ? parameter.name.uppercased()
                : String(Usage.form(parameter).drop { $0 == "[" }.prefix { $0 != "]" })
        }
        let widest = forms.map(\.count).max() ?? 0
        return zip(spec.parameters, forms).map { parameter, form in
            let ending = parameter.defaultText.flatMap { $0.isEmpty ? nil : " (default \($0))" } ?? ""
            return hanging(
                "  " + DisplayWidth.padded(form, to: widest, right: false) + "  ", parameter.help + ending)
        }
    }

    /// The usage, broken before a parameter.
    private func usage(of spec: CommandSpec) -> String {
        var lines = ["  " + spec.name]
        for form in spec.parameters.map(Usage.form) {
            let line = lines[lines.count - 1] + " " + form
            if DisplayWidth.of(line) > width, lines[lines.count - 1] != "  " + spec.name {
                lines.append("      " + form)
            } else {
                lines[lines.count - 1] = line
            }
        }
        return lines.joined(separator: "\n")
    }

    /// Columns that a text beside others has at least; a narrower terminal breaks the line itself.
    private static let narrowest = 24

    /// A text after its head, broken at blanks, with further lines below its beginning.
    private func hanging(_ head: String, _ text: String) -> String {
        let indentation = DisplayWidth.of(head)
        guard width - indentation >= Self.narrowest else { return head + text }
        return head
            + TextWrap.wrapped(text, to: width - indentation)
            .replacing("\n", with: "\n" + String(repeating: " ", count: indentation))
    }

    private func exampleLines(_ spec: CommandSpec) -> [String] {
        spec.examples.flatMap { example in
            ["  # \(example.title)"] + example.setup.map { "  \($0)" } + ["  \(example.line)"]
        }
    }

    private func effect(_ spec: CommandSpec) -> String {
        switch spec.effect {
        case .pure: "does not use the workspace"
        case .reads: "reads the workspace"
        case .changes:
            "changes the workspace" + (spec.readingFlag.map { ", reads it with --\($0)" } ?? "")
        }
    }
}
