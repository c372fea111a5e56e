import Core
import Foundation
import LineEditing
import PluginKit
import Workbench

/// Shows a long result page by page, if `set pager true` is set: in $PAGER, or here.
struct Pager {
    let session: Session

    func show(_ text: String, _ size: TerminalSize) async {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard await session.presentEnvironment.usesPager, lines.count >= size.rows,
            let provider = TerminalScreenProvider.present
        else { return Output.print(text) }
        if await showInUsersPager(lines) { return }
        do {
            try await provider.withScreen { try await page(lines.map(TerminalText.styled), $0) }
        } catch {
            // The terminal is unavailable, or Ctrl-C closed the pager: print the rest, or stop.
            if !(error is RutterError) { Output.print(text) }
        }
    }

    /// Shows lines in $PAGER, if it is set and can be started.
    private func showInUsersPager(_ lines: [String]) async -> Bool {
        guard let pager = ProcessInfo.processInfo.environment["PAGER"], !pager.isEmpty,
            let folder = try? FileManager.default.scratchFolder("page")
        else { return false }
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("result.txt")
        let text = lines.map { TerminalText.styled($0) + "\n" }.joined()
        guard (try? text.write(to: file, atomically: false, encoding: .utf8)) != nil else { return false }
        return await !Shell.cannotStart.contains(Shell.run(ShellLine.paging(file)))
    }

    private func page(_ lines: [String], _ screen: any LiveScreen) async throws {
        var top = 0
        while true {
            let height = max(1, screen.rows - 1)
            let last = max(0, lines.count - height)
            top = min(max(0, top), last)
            let end = min(lines.count, top + height)
            let status = "lines \(top + 1)–\(end) of \(lines.count); space, arrows, b, q"
            screen.show(Array(lines[top..<end]) + [status])
            switch try await screen.key(within: 3600) {
            case .character(" "), .right: top += height
            case .character("b"), .left: top -= height
            case .down, .enter, .character("j"): top += 1
            case .up, .character("k"): top -= 1
            case .character("g"): top = 0
            case .character("G"): top = last
            case .character("q"), .escape, .end: return
            default: break
            }
        }
    }
}
