import Foundation
import PluginTestKit
import Testing

/// Names and reasons in the sources that the build does not check.
struct NameTests {
    /// Types of one name in two modules, with the reason.
    private static let exempt: [String: String] = [
        "Plugin":
            "RutterPlugin is the kit of plugins that are programs; nothing imports both it and PluginKit"
    ]

    /// A type's name means one thing in the whole house: a reader who finds it need not ask which. Private types are seen
    /// in their file only.
    @Test func noTwoTypesShareAName() throws {
        let declaration =
            /^(?:@\w+(?:\([^)]*\))? )*(?:(?:public|package|internal|final|indirect) )*(?:struct|class|enum|protocol|actor|typealias) (\w+)/
        var homes: [String: [String]] = [:]
        for file in try SourceFile.all() {
            for line in file.text.split(separator: "\n") {
                guard let match = line.prefixMatch(of: declaration) else { continue }
                homes[String(match.1), default: []].append(file.path)
            }
        }
        #expect(homes.count > 1500)
        for (name, paths) in homes.sorted(by: { $0.key < $1.key }) where paths.count > 1 {
            #expect(Self.exempt[name] != nil, "\(name): \(paths.joined(separator: ", "))")
        }
        for name in Self.exempt.keys { #expect((homes[name] ?? []).count > 1, "\(name) has one home now") }
    }

    /// Each `@unchecked Sendable` says, in the comment above its type, what makes it safe: `Unchecked: …`.
    @Test func everyUncheckedSendableHasAReason() throws {
        for file in try SourceFile.all() {
            let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
            for (number, line) in lines.enumerated() where line.contains("@unchecked Sendable") {
                let comment = lines[..<number].reversed().prefix {
                    $0.drop { $0 == " " }.hasPrefix("//") || $0.drop { $0 == " " }.hasPrefix("@")
                }
                #expect(comment.contains { $0.contains("Unchecked: ") }, "\(file.path):\(number + 1)")
            }
        }
    }

    /// A place is a named location; a coordinate is called one, in the sources and in the articles from which plugins start.
    @Test func noCoordinateIsCalledAPlace() throws {
        let articles = try ["WriteACommand.md", "WriteAPlugin.md"].map { name in
            let path = "Sources/PluginKit/PluginKit.docc/\(name)"
            return SourceFile(
                path: path,
                text: try String(
                    contentsOf: RealData.project.appendingPathComponent(path), encoding: .utf8))
        }
        for file in try SourceFile.all() + articles {
            for (number, line) in file.text.split(separator: "\n", omittingEmptySubsequences: false)
                .enumerated()
            {
                #expect(!line.contains(/\bplace: Coordinate\b/), "\(file.path):\(number + 1)")
            }
        }
    }
}
