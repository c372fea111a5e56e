import ArgumentParser
import Workbench

/// `rutter licenses`
struct LicensesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "licenses", abstract: "Print the licences of the program and of what is inside it.")

    func run() { Output.pass(Material.licenses) }
}
