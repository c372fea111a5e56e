import Foundation

/// Parses Markdown as a notebook.
public struct NotebookParser: Sendable {
    private let limits: NotebookLimits

    /// A parser with limits.
    public init(limits: NotebookLimits = NotebookLimits()) {
        self.limits = limits
    }

    /// Reads a file.
    public func parse(contentsOf file: URL) throws(NotebookError) -> Notebook {
        let data: Data
        do {
            guard FileManager.default.fileExists(atPath: file.path) else {
                throw NotebookError(.file, "no such file: \(file.lastPathComponent)")
            }
            // A pipe or device might never end; a folder has no text.
            let facts = try FileManager.default.attributesOfItem(atPath: file.resolvingSymlinksInPath().path)
            guard facts[.type] as? FileAttributeType == .typeRegular else {
                throw NotebookError(.file, "\(file.lastPathComponent) is not a regular file")
            }
            let size = facts[.size] as? Int ?? 0
            guard size <= limits.fileBytes else { throw tooLarge }
            data = try Data(contentsOf: file)
        } catch let error as NotebookError {
            throw error
        } catch {
            throw NotebookError(.file, "the notebook cannot be read: \(error.localizedDescription)")
        }
        return try parse(bytes: Array(data))
    }

    /// Reads text.
    public func parse(_ text: String) throws(NotebookError) -> Notebook {
        try parse(bytes: Array(text.utf8))
    }

    /// Parses any bytes to a notebook or an error.
    public func parse(bytes: [UInt8]) throws(NotebookError) -> Notebook {
        do {
            guard bytes.count <= limits.fileBytes else { throw tooLarge }
            return try notebook(of: SourceText(bytes: bytes))
        } catch let error as NotebookError {
            throw error
        } catch {
            throw NotebookError(.file, "\(error)")
        }
    }

    /// Whether a text has a block that looks like a cell but is not one.
    static func hasMistakenCell(bytes: [UInt8]) -> Bool {
        guard let notebook = try? NotebookParser().parse(bytes: bytes) else { return false }
        return notebook.cells.isEmpty && !notebook.warnings.isEmpty
    }

    /// Whether a text has a cell, looking only at fences.
    static func hasCell(bytes: [UInt8]) -> Bool {
        // A notebook with invalid UTF-8 is found, too, so that running it reports the error.
        let repaired = Array(String(decoding: bytes, as: UTF8.self).utf8)
        guard let source = (try? SourceText(bytes: bytes)) ?? (try? SourceText(bytes: repaired)) else {
            return false
        }
        // Unclosed front matter is reported when the notebook runs.
        let start = (try? FrontMatterParser.extent(in: source.lines)).flatMap { $0 }?.upperBound ?? 0
        return FenceScanner.blocks(in: source.lines, from: start).contains(where: \.isCell)
    }

    private var tooLarge: NotebookError {
        NotebookError(.file, "the notebook is larger than \(limits.fileBytes >> 20) MB")
    }

    private func notebook(of source: SourceText) throws -> Notebook {
        let extent = try FrontMatterParser.extent(in: source.lines)
        let settings = try extent.map { try FrontMatterParser(limits: limits).settings(source.lines[$0]) }
        let start = extent?.upperBound ?? 0
        var captured: Set<String> = []
        var cells: [NotebookCell] = []
        let blocks = FenceScanner.blocks(in: source.lines, from: start)
        for block in blocks where block.isCell {
            let cell = try CellReader(block: block, lines: source.lines).cell(
                number: cells.count + 1, &captured)
            cells.append(cell)
        }
        return Notebook(
            title: title(source.lines, from: start, outside: blocks),
            settings: settings ?? NotebookSettings(), cells: cells,
            warnings: FenceScanner.warnings(source.lines, blocks, from: start), source: source)
    }

    /// The text of the first `# heading` outside blocks.
    private func title(_ lines: [SourceText.Line], from start: Int, outside blocks: [FencedBlock]) -> String?
    {
        var skip = blocks[...]
        for index in lines.indices.dropFirst(start) {
            while let block = skip.first, block.content.upperBound < index { skip = skip.dropFirst() }
            if let block = skip.first, block.opening <= index { continue }
            let line = lines[index].text
            guard line.startsBytewise(with: "# ") else { continue }
            let text = line.dropFirst(2).trimmingCharacters(in: .whitespaces)
            return text.isEmpty ? nil : text
        }
        return nil
    }
}
