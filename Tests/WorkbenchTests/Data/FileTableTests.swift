import Foundation
import Testing

@testable import Workbench

/// Several files as one table.
struct FileTableTests {
    @Test func filesOfOneShape() async throws {
        let data = try DataSession(files: ["a.csv": "name,beds\nIlla,50\n", "b.csv": "name,beds\nRuhle,58\n"])
        let shown = await data.run("open *.csv")
        #expect(shown == "file   name   beds\na.csv  Illa     50\nb.csv  Ruhle    58")
        let sum = await data.run("open *.csv | sum beds")
        #expect(sum == "108")
    }

    /// Columns are joined by name, whatever their order.
    @Test func columnsThatDifferAreSaid() async throws {
        let data = try DataSession(files: [
            "a.csv": "name,beds\nIlla,50\n", "b.csv": "beds,name,owner\n58,Ruhle,CAF\n",
        ])
        let shown = await data.run("open a.csv b.csv")
        #expect(
            shown.hasPrefix("file   name   beds  owner\na.csv  Illa     50\nb.csv  Ruhle    58  CAF"),
            "\(shown)")
        #expect(shown.contains("no `owner` in a.csv"), "\(shown)")
        let none = await data.run("open a.csv b.csv | where owner == nothing | get name")
        #expect(none.hasPrefix("Illa"), "\(none)")
    }

    /// A column is one kind in all files: 9 is not before 10 in one and behind it in the other.
    @Test func kindsThatDifferAreText() async throws {
        let data = try DataSession(files: ["a.csv": "id\n10\n9\n", "b.csv": "id\nx7\n"])
        let shown = await data.run("open a.csv b.csv | describe | get fields | get kind")
        #expect(shown.hasPrefix("text\ntext"), "\(shown)")
        let said = await data.run("open a.csv b.csv")
        #expect(said.contains("`id` is text: number in a.csv, text in b.csv"), "\(said)")
        let largest = await data.run("open a.csv b.csv | max id")
        #expect(largest.contains("E-"), "\(largest)")
    }

    @Test func foldersAndFormatsMix() async throws {
        let data = try DataSession(files: ["m.jsonl": "{\"n\":1}\n{\"n\":2}\n", "n.json": "[{\"n\":3}]"])
        let folders = ["2025", "2026"].map { data.folder.appendingPathComponent($0) }
        for folder in folders {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data("n\n5\n".utf8).write(to: folder.appendingPathComponent("x.csv"))
        }
        let names = await data.run("open **/x.csv | get file")
        #expect(names == "2025/x.csv\n2026/x.csv")
        let sum = await data.run("open m.jsonl n.json 2025/x.csv | sum n")
        #expect(sum == "11")
    }

    /// A column called `file` stays what it is.
    @Test func theFileHasItsOwnColumn() async throws {
        let data = try DataSession(files: ["a.csv": "file\nx\n", "b.csv": "file\ny\n"])
        let shown = await data.run("open a.csv b.csv")
        #expect(shown == "sourceFile  file\na.csv       x\nb.csv       y")
        let taken = try DataSession(files: [
            "a.csv": "file,sourceFile,sourceFile2\nx,y,z\n", "b.csv": "file\ny\n",
        ])
        let names = await taken.run("open a.csv b.csv | to csv")
        #expect(names.hasPrefix("sourceFile3,file,sourceFile,sourceFile2\n"), "\(names)")
    }

    /// A column that is blank at the beginning of one file is of the kind that it has in the others.
    @Test func blankBeginningsHaveTheKindOfTheOthers() async throws {
        let blanks = "id,n\n" + String(repeating: ",1\n", count: 100_000)
        let data = try DataSession(files: [
            "a.csv": "id,n\nx,1\n", "b.csv": blanks + "7,1\n", "c.csv": "id,n\n1,1\n",
            "d.csv": blanks + "x,1\n",
        ])
        let seven = await data.run("open a.csv b.csv | where id == '7' | count")
        #expect(seven == "1")
        let mixed = await data.run("open a.csv c.csv b.csv | where id == '7' | count")
        #expect(mixed.hasPrefix("1"), "\(mixed)")
        let told = await data.run("open c.csv d.csv | last 1")
        #expect(told.contains("`id` is text: number in c.csv, text in d.csv"), "\(told)")
    }

    @Test func whatIsNoTableIsSaid() async throws {
        let data = try DataSession(files: [
            "a.csv": "n\n1\n", "b.txt": "words\n", "c.csv": "", "d.csv": "n\n1\n2,3\n",
        ])
        let text = await data.run("open a.csv b.txt")
        #expect(text.contains("b.txt is a text, not rows"), "\(text)")
        let empty = await data.run("open a.csv c.csv")
        #expect(empty.contains("c.csv is empty"), "\(empty)")
        let broken = await data.run("open a.csv d.csv | count")
        #expect(broken.contains("d.csv"), "\(broken)")
        #expect(broken.contains("E-DATA-CSV"), "\(broken)")
    }
}
