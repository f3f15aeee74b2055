# Definitions of Python files by Python's own parser: paths on standard input as a JSON list, one list each as answer.
import ast
import json
import sys


def definitions(path):
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        tree = ast.parse(text)
    except (OSError, SyntaxError, UnicodeDecodeError, ValueError):
        return None
    lines = text.split("\n")
    found = []

    def visit(node, around):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                name = [*around, child.name]
                said = "\n".join(lines[child.lineno - 1 : child.end_lineno])
                found.append({"name": ".".join(name), "start": child.lineno, "end": child.end_lineno, "text": said})
                visit(child, name)
            else:
                visit(child, around)

    visit(tree, [])
    return found


json.dump([definitions(path) for path in json.load(sys.stdin)], sys.stdout)
