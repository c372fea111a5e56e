import ArgumentParser
import Foundation

/// `rutter manual`: manual pages, made of the declarations of the subcommands.
struct ManualCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual", abstract: "Write the manual pages, rutter.1 and one for each subcommand.",
        discussion: "The commands of the language have their help: rutter help COMMAND.")

    @Option(help: "Folder to write them to; without it, the page of the program is printed.")
    var out: String?

    func run() throws {
        let tool = try JSONDecoder().decode(ManualTool.self, from: Data(RutterCommand._dumpHelp().utf8))
        let main = ManualPage(tool.command, parent: nil)
        guard let out else { return Output.print(main.text) }
        let folder = URL(fileURLWithPath: out, isDirectory: true)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for page in [main] + main.subpages {
                try Data((page.text + "\n").utf8).write(
                    to: folder.appendingPathComponent(page.name + ".1"), options: .atomic)
            }
        } catch {
            throw ValidationError("the pages cannot be written to \(out): \(error.localizedDescription)")
        }
    }
}
