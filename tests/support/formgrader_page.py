"""nbgrader's formgrader as an instructor uses it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.browser import Site, until

if TYPE_CHECKING:
    from selenium.webdriver import Chrome
    from selenium.webdriver.remote.webelement import WebElement

_SAVED = "return window.formgrader?.grades?.loaded && window.formgrader?.comments?.loaded"


class Formgrader:
    """The pages of formgrader, driven by their links, buttons and fields."""

    def __init__(self, driver: Chrome, site: Site) -> None:
        self.driver, self.site = driver, site

    def open(self, page: str, awaits: str) -> None:
        """Open a page and wait for what it fills in later."""
        self.driver.get(self.site.at(f"formgrader/{page}"))
        self.find(awaits)

    def find(self, selector: str) -> WebElement:
        """The first visible element, waited for."""

        def visible(driver: Chrome) -> WebElement | None:
            return next((element for element in driver.find_elements("css selector", selector) if element.is_displayed()), None)

        return until(self.driver, visible, selector)

    def row(self, name: str) -> WebElement:
        """The row of the table in which an assignment or a student stands."""
        rows = "//table//tr[td[normalize-space(.)=$]]".replace("$", f"'{name}'")
        return until(self.driver, lambda driver: driver.find_element("xpath", rows), f"a row of {name}")

    def press(self, name: str, column: str) -> str:
        """Press the sign in a column of a row and wait for the window that reports on it; what it says."""
        self.row(name).find_element("css selector", f".{column} a").click()
        until(self.driver, lambda driver: driver.find_element("css selector", ".modal.in .modal-title").text, "a window")
        return self.find(".modal.in").text

    def close(self) -> None:
        """Close the window and wait until it has gone."""
        self.find(".modal.in .modal-footer button").click()
        until(self.driver, lambda driver: not driver.find_elements("css selector", ".modal, .modal-backdrop"), "no window")

    def open_marked(self, mark: str) -> None:
        """Follow the link to the first submission that has a tick in a column, such as "needs manual grade"."""
        row = self.find(f"#main-table tr:has(td[data-search='{mark}'])")
        row.find_element("css selector", "a.name-hidden").click()

    def cell(self, grade_id: str) -> WebElement:
        """A graded cell on the page of a submission, once scores and comments are loaded."""
        until(self.driver, lambda driver: driver.execute_script(_SAVED), "scores and comments")
        element = self.driver.find_element("xpath", f"//*[@id='{grade_id}']/ancestor::*[contains(@class,'nbgrader_cell')]")
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        return element
