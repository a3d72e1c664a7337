"""JupyterLab as a person uses it: cells are clicked, typed into and run by keys. Only scrolling goes through its own code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.support.browser import until

if TYPE_CHECKING:
    from selenium.webdriver import Chrome
    from selenium.webdriver.remote.webelement import WebElement

_PANEL = "const panel = window.jupyterapp?.shell?.currentWidget, cells = panel?.content?.widgets ?? [];"
_KERNEL = _PANEL + "return panel?.context?.sessionContext?.session?.kernel?.status"
_SHOW = _PANEL + (
    "const [index, where, done] = arguments;"
    "panel.content.activeCellIndex = index;"
    "panel.content.scrollToItem(index, where).then(() => done(cells[index].node))"
)
_PLACE = _PANEL + "return cells.findIndex(cell => cell.model.id === arguments[0])"
_COUNT = _PANEL + "return cells[arguments[0]].model.executionCount"
_SAID = _PANEL + (
    "const outputs = cells[arguments[0]].node.querySelectorAll('.jp-OutputArea-output');"
    "return [...outputs].map(one => one.innerText).join('\\n')"
)
_SAVED = _PANEL + "return !panel.context.model.dirty"


class LabPage:
    """The notebook that is open in JupyterLab."""

    def __init__(self, driver: Chrome) -> None:
        self.driver = driver

    def wait_for_kernel(self) -> None:
        """Until the kernel has nothing left to do."""
        until(self.driver, lambda driver: driver.execute_script(_KERNEL) == "idle", "an idle kernel")

    def show(self, key: str, where: str = "smart") -> WebElement:
        """Scroll to the cell with this id and return its element."""
        return self.driver.execute_async_script(_SHOW, self._place(key), where)

    def write(self, key: str, text: str) -> None:
        """Replace what stands in a cell: click into it, select everything, type."""
        from selenium.webdriver import ActionChains, Keys

        editor = self.show(key).find_element("css selector", ".cm-content")
        editor.click()
        ActionChains(self.driver).key_down(Keys.CONTROL).send_keys("a").key_up(Keys.CONTROL).perform()
        # As from the clipboard: no help with brackets and indentation.
        self.driver.execute_cdp_cmd("Input.insertText", {"text": text})

    def run(self, key: str) -> str:
        """Click into a code cell, press Shift+Enter and wait; what it shows then."""
        from selenium.webdriver import ActionChains, Keys

        index = self._place(key)
        before = self.driver.execute_script(_COUNT, index)
        self.show(key).find_element("css selector", ".cm-content").click()
        ActionChains(self.driver).key_down(Keys.SHIFT).send_keys(Keys.ENTER).key_up(Keys.SHIFT).perform()

        def done(driver: Chrome) -> bool:
            count = driver.execute_script(_COUNT, index)
            return count is not None and count != before and driver.execute_script(_KERNEL) == "idle"

        until(self.driver, done, f"the end of cell {key}")
        return self.driver.execute_script(_SAID, index)

    def new_cell_below(self, key: str, text: str) -> str:
        """A new code cell with this text below another; its id."""
        from selenium.webdriver import ActionChains, Keys

        self.show(key).find_element("css selector", ".cm-content").click()
        count = self.driver.execute_script(_PANEL + "return cells.length")
        ActionChains(self.driver).send_keys(Keys.ESCAPE).send_keys("b").perform()
        until(self.driver, lambda driver: driver.execute_script(_PANEL + "return cells.length") > count, "a new cell")
        made = self.driver.execute_script(_PANEL + "return cells[arguments[0]].model.id", self._place(key) + 1)
        self.write(made, text)
        return made

    def dark(self) -> None:
        """Choose JupyterLab's dark theme."""
        self.driver.execute_script("window.jupyterapp.commands.execute('apputils:change-theme', {theme: 'JupyterLab Dark'})")
        until(self.driver, lambda driver: driver.find_elements("css selector", "body[data-jp-theme-light=false]"), "the dark")

    def press(self, title: str) -> None:
        """Press a button of the notebook's toolbar."""
        self.driver.find_element("css selector", f'.jp-NotebookPanel-toolbar [title^="{title}"]').click()

    def save(self) -> None:
        """Press the disk and wait until the file is written."""
        self.press("Save")
        until(self.driver, lambda driver: driver.execute_script(_SAVED), "a saved notebook")

    def dialog(self) -> str:
        """Wait for a dialog; what it says."""
        return until(self.driver, lambda driver: driver.find_element("css selector", ".jp-Dialog-content"), "a dialog").text

    def close_dialog(self) -> None:
        """Accept the dialog and wait until it is gone."""
        self.driver.find_element("css selector", ".jp-Dialog .jp-mod-accept").click()
        until(self.driver, lambda driver: not driver.find_elements("css selector", ".jp-Dialog"), "the end of the dialog")

    def _place(self, key: str) -> Any:
        index = self.driver.execute_script(_PLACE, key)
        assert index >= 0, f"there is no cell {key}"
        return index
